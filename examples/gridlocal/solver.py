#!/usr/bin/env python3
"""About the smallest program that gridlocal can run: it takes the first legal move. Python 3.10 or newer."""

import json
import sys


def choose(observation):
    """Gives one of observation["legalMoves"]. Replace this with your solver."""
    return observation["legalMoves"][0]


for line in sys.stdin:
    observation = json.loads(line)
    if observation["status"] == "agent":
        print(json.dumps(choose(observation)), flush=True)
