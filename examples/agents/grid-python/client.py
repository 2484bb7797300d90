#!/usr/bin/env python3
"""Plays one match of the Grid arena by polling. Python 3.10 or newer, no packages.

    LINESCLASH_BASE=https://arena.example LINESCLASH_KEY=... python3 client.py --state my-match.json --opponent hell_v2

The same command again goes on with the match after a kill, a crash or a restart. Put your solver into choose().
"""

import argparse
import datetime
import email.utils
import http.client
import json
import math
import os
import queue
import random
import re
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


def choose(observation):
    """Gives one of observation["legalMoves"]. Replace this with your solver.

    observation is what the server sent: board, seat, scores, history, remainingMs and so on.
    """
    return observation["legalMoves"][0]


FORMAT = "grid-client/1"  # of the state file
PACE = 2.0  # seconds from the end of one poll to the next while the opponent thinks
HOLD = 20  # seconds that the server is asked to hold a poll
SLOWEST = 15.0  # seconds between two attempts, at most
MAX_BODY = 4 << 20  # bytes of an answer
DAY = 86400  # seconds: the longest Retry-After that is believed
REFUSALS = 5  # conflicts in a row before it gives up

# Exit statuses, the same in all clients; 0 is a match that was played to its end.
BROKEN, USAGE, KEY, NO_GAME, STRANGE, LATER = 1, 2, 3, 4, 5, 75


class Stop(Exception):
    """Ends the client with an exit status and a sentence for its user."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def plain(text, limit=300):
    """Makes one printable line of what came from outside."""
    return "".join(c if c.isprintable() else "?" for c in str(text)[:limit])


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- the state file --------------------------------------------------------------------------------------------------------------------


class State:
    """What has to outlive the process: requests that may be on their way, the match, the result. Never the key."""

    def __init__(self, path, base, create):
        self.path = path
        self.data = {"format": FORMAT, "base": base, "create": create, "matchId": "", "move": None, "notBefore": 0, "over": None}

    def __getitem__(self, name):
        return self.data[name]

    def save(self, **changes):
        """Changes members and returns when they are on the disk: the file is the old one or the new one, never half of either."""
        self.data.update(changes)
        beside = self.path + ".tmp"
        try:
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as f:
                json.dump(self.data, f)
                f.write("\n")
                f.flush()
                os.fsync(f.fileno())
            os.replace(beside, self.path)
            if hasattr(os, "O_DIRECTORY"):  # Windows has none, and flushes names by itself
                folder = os.open(os.path.dirname(self.path) or ".", os.O_RDONLY | os.O_DIRECTORY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
        except OSError as err:
            raise Stop(USAGE, f"{self.path}: {err.strerror}") from None

    def load(self):
        """Reads the file, which must be of the match that the options ask for. False where there is none."""
        try:
            with open(self.path, encoding="utf-8") as f:
                found = json.load(f)
        except FileNotFoundError:
            return False
        except OSError as err:
            raise Stop(USAGE, f"{self.path}: {err.strerror}") from None
        except (ValueError, RecursionError):
            raise Stop(USAGE, f"{self.path} is no state file") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT or found.keys() != self.data.keys():
            raise Stop(USAGE, f"{self.path} is no state file of {FORMAT}")
        mine, its = dict(self.data["create"]), found["create"]
        if not isinstance(its, dict) or not isinstance(its.get("requestId"), str):
            raise Stop(USAGE, f"{self.path} is no state file of {FORMAT}")
        mine["requestId"] = its["requestId"]
        if mine != its or found["base"] != self.data["base"]:
            raise Stop(USAGE, f"{self.path} is of another match: give it the options that it began with, or another file")
        move, over = found["move"], found["over"]
        good = isinstance(found["matchId"], str) and isinstance(found["notBefore"], (int, float))
        good = good and (move is None or isinstance(move, dict) and isinstance(move.get("moveId"), str))
        good = good and (over is None or isinstance(over, dict) and {"status", "reason", "seat", "scores"} <= over.keys())
        if not good:
            raise Stop(USAGE, f"{self.path} is no state file of {FORMAT}")
        self.data = found
        return True


# ---- HTTP ------------------------------------------------------------------------------------------------------------------------------


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to wherever it points."""

    def redirect_request(self, *args):
        return None


class Api:
    """Sends requests, each again and again until the server has answered it or patience is over."""

    def __init__(self, state, key, timeout, patience):
        self.state, self.key, self.timeout, self.patience = state, key, timeout, patience
        self.root = state["base"] + "/api/benchmarks/matches"
        # http is for loopback addresses, and a proxy that the environment names is none.
        direct = [urllib.request.ProxyHandler({})] if urllib.parse.urlsplit(state["base"]).scheme == "http" else []
        self.opener = urllib.request.build_opener(NoRedirect, *direct)

    def once(self, path, body, headers, timeout):
        """Sends a request once. Gives status, headers and body; an OSError or HTTPException where there was no whole answer in time."""
        # The timeout of a socket is that of one read, and an answer may be dripping: it is read beside, and left behind when the time is over.
        done = queue.SimpleQueue()

        def work():
            try:
                done.put((self.exchange(path, body, headers, timeout), None))
            except Exception as err:
                done.put((None, err))

        threading.Thread(target=work, daemon=True).start()
        try:
            answer, err = done.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError("timed out") from None
        if err is not None:
            raise err
        return answer

    def exchange(self, path, body, headers, timeout):
        request = urllib.request.Request(self.root + path, data=body, headers=headers)
        try:
            with self.opener.open(request, timeout=timeout) as answer:
                status, head, text = answer.status, answer.headers, answer.read(MAX_BODY + 1)
        except urllib.error.HTTPError as answer:
            with answer:
                status, head, text = answer.code, answer.headers, answer.read(MAX_BODY + 1)
        if len(text) > MAX_BODY:
            raise Stop(STRANGE, f"the server answered with more than {MAX_BODY} bytes")
        return status, head, text

    def call(self, path, payload=None, wait=0):
        """Gives status, headers and JSON of the answer. The status is 200, 201 or one that trying again does not change."""
        headers = {"Accept": "application/json", "Authorization": "Bearer " + self.key, "User-Agent": "grid-client-python/1"}
        body = None
        if payload is not None:
            body = json.dumps(payload, separators=(",", ":")).encode()
            headers["Content-Type"] = "application/json"
        if wait:
            headers["Prefer"] = f"wait={wait}"
        self.pause_until(self.state["notBefore"])
        began, tries = time.monotonic(), 0
        while True:
            why, delay = "", None
            try:
                status, head, text = self.once(path, body, headers, self.timeout + wait)
                if status in (429, 503):
                    why, delay = f"the server says {status} {complaint(text)}", retry_after(head)
                elif status in (408, 425) or status >= 500:
                    why = f"the server says {status} {complaint(text)}"
                else:
                    try:
                        return status, head, json.loads(text) if status in (200, 201) else text
                    except (ValueError, RecursionError):
                        why = "the server's answer is no JSON"
            except (OSError, http.client.HTTPException) as err:
                why = f"no answer: {plain(getattr(err, 'reason', err)) or type(err).__name__}"
            tries += 1
            if delay is not None:
                self.state.save(notBefore=math.ceil((time.time() + delay) * 1000))
            # 0 would be at once, again and again.
            delay = max(delay or 0.0, random.uniform(0.5, 1.0) * min(SLOWEST, 0.25 * 2 ** min(tries, 10)))
            if time.monotonic() - began + delay > self.patience:
                raise Stop(LATER, f"{why}; run the same command again in {math.ceil(delay)} s or later")
            say(f"{why}; again in {delay:.1f} s")
            time.sleep(delay)

    def pause_until(self, moment):
        """Keeps a Retry-After that an earlier run was given. moment is in milliseconds since 1970."""
        left = min(moment / 1000 - time.time(), DAY)
        if left > self.patience:
            raise Stop(LATER, f"the server asked for patience; run the same command again in {math.ceil(left)} s or later")
        if left > 0:
            time.sleep(left)


def complaint(text):
    """Gives the code and detail of a problem document, as far as there are any."""
    try:
        problem = json.loads(text)
        return plain(" ".join(str(problem[k]) for k in ("code", "detail") if k in problem))
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def retry_after(head):
    """Gives the seconds of a Retry-After header, a number or a date; None where it has neither."""
    value = (head.get("Retry-After") or "").strip()
    if re.fullmatch(r"[0-9]+", value):
        return min(DAY, float(value))
    then, now = date(value), date(head.get("Date") or "")
    if then is None:
        return None
    # The server's own clock counts, whatever ours says; a second more, since dates have whole ones.
    return min(DAY, max(0.0, then - (time.time() if now is None else now) + 1))


def date(text):
    """Gives the seconds since 1970 of an HTTP date; None where it is none."""
    if not re.fullmatch(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", text):
        return None
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    return moment.replace(tzinfo=datetime.timezone.utc).timestamp()


# ---- the match -------------------------------------------------------------------------------------------------------------------------


class Match:
    def __init__(self, api, state):
        self.api, self.state = api, state
        self.held = False  # the server holds polls, so that they need no pause
        self.polled = None  # when the last poll that was told "ai" ended

    def play(self):
        """Plays to the end, wherever the match stands, and keeps how it ended."""
        seen = self.begin()
        refusals = 0
        while seen["status"] in ("agent", "ai"):
            if seen["status"] == "ai":
                seen = self.poll()
                continue
            if self.state["move"] is None:
                self.decide(seen)
            after = self.submit()
            refusals = 0 if after else refusals + 1
            if refusals > REFUSALS:
                raise Stop(STRANGE, "the server takes no move of ours")
            if refusals > 1:
                time.sleep(random.uniform(0.5, 1.0) * min(SLOWEST, 0.125 * 2**refusals))
            seen = after or self.reload()
        over = {"status": seen["status"], "reason": seen.get("reason"), "seat": seen.get("seat"), "scores": seen.get("scores")}
        self.state.save(over=over)

    def begin(self):
        """Gives an observation to start from: creates the match, sends a move that may not have arrived, or looks."""
        if self.state["matchId"] == "":
            seen = self.observation(*self.api.call("", self.state["create"]))
            if not re.fullmatch(r"[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0,127}", str(seen.get("matchId"))):
                raise Stop(STRANGE, "the server gave no match id")
            self.state.save(matchId=seen["matchId"])
            say(f"match {seen['matchId']} has begun")
            return seen
        say(f"going on with match {self.state['matchId']}")
        return (self.submit() if self.state["move"] else None) or self.reload()

    def path(self, rest=""):
        return "/" + urllib.parse.quote(self.state["matchId"], safe="") + rest

    def reload(self, wait=0):
        status, head, answer = self.api.call(self.path(), wait=wait)
        self.held = wait > 0 and "wait" in (head.get("Preference-Applied") or "")
        return self.observation(status, head, answer)

    def poll(self):
        """Looks whether the opponent has moved, no faster than allowed."""
        now = time.monotonic()
        if not self.held and self.polled is None:
            self.polled = now  # the answer to our move said so
        if self.polled is not None:
            time.sleep(max(0.0, self.polled + PACE - now))
        seen = self.reload(wait=HOLD)
        self.polled = time.monotonic() if seen["status"] == "ai" else None
        return seen

    def decide(self, seen):
        """Asks choose() for a move, and saves it before anybody hears of it."""
        try:
            move = choose(seen)
        except Exception as err:
            raise Stop(BROKEN, f"choose() failed: {type(err).__name__}: {plain(err)}") from err
        if move not in seen["legalMoves"]:
            raise Stop(BROKEN, f"choose() gave {plain(move)}, which is not legal")
        cell = isinstance(move, dict) and move.keys() == {"row", "col"}
        action = {"row": move["row"], "col": move["col"]} if cell else {"action": move}
        self.state.save(move={"revision": seen["revision"], "moveId": str(uuid.uuid4()), **action})

    def submit(self):
        """Sends the saved move, the same bytes however often. None where the position is not the one that it was for."""
        status, head, answer = self.api.call(self.path("/moves"), self.state["move"])
        if status == 409:
            say(f"the move was not taken: {complaint(answer)}")
            self.state.save(move=None)
            return None
        if status == 422:
            self.state.save(move=None)
            raise Stop(BROKEN, f"the server refused the move: {complaint(answer)}")
        seen = self.observation(status, head, answer)
        self.state.save(move=None)
        return seen

    @staticmethod
    def observation(status, _head, seen):
        """Gives an answer that is an observation; ends the client otherwise."""
        if status in (401, 403):
            raise Stop(KEY, f"the server refused the key: {status} {complaint(seen)}")
        if status not in (200, 201):
            raise Stop(STRANGE, f"the server says {status} {complaint(seen)}")
        good = isinstance(seen, dict) and seen.get("status") in ("agent", "ai", "completed", "expired", "failed")
        if good and seen["status"] == "agent":
            good = isinstance(seen.get("revision"), int) and isinstance(seen.get("legalMoves"), list) and seen["legalMoves"] != []
        if not good:
            raise Stop(STRANGE, "the server's answer is no observation")
        return seen


def report(state):
    """Prints how the match ended, and gives the exit status."""
    over, word = state["over"], ""
    scores, seat = over["scores"], over["seat"]
    print(f"match {state['matchId']} against {plain(state['create']['opponent'])}, seat {seat}")
    if over["status"] != "completed":
        print(f"{over['status']}: {plain(over['reason'] or 'no reason given')}")
        return NO_GAME
    if isinstance(scores, list) and len(scores) == 2 and seat in (0, 1) and all(isinstance(n, int) for n in scores):
        mine, theirs = scores[seat], scores[1 - seat]
        word = f"{'won' if mine > theirs else 'lost' if mine < theirs else 'draw'} {mine}-{theirs}"
    print(f"completed: {word or plain(json.dumps(scores))}")
    print(f"replay: {state['base']}/api/benchmarks/replays/{state['matchId']}")
    return 0


def options(args):
    p = argparse.ArgumentParser(description="Plays one match of the Grid arena; the same command again goes on with it.", allow_abbrev=False)
    p.add_argument("--state", required=True, metavar="FILE", help="where the match is kept; a new file begins a new match")
    p.add_argument("--opponent", required=True, metavar="NAME", help="casual, smart, hard, experimental, normal_nightmare, hell_v2 or hell_v3")
    p.add_argument("--seat", type=int, choices=(0, 1), default=0, help="0 begins (default), 1 does not")
    p.add_argument("--control", choices=("production", "untimed"), default="production", help="production: 30 s for a move (default)")
    p.add_argument("--name", default="My solver", help="shown beside the result")
    p.add_argument("--game", default="", help="another game than the server's first one")
    p.add_argument("--timeout", type=float, default=10, metavar="SECONDS", help="for one request (default 10)")
    p.add_argument("--patience", type=float, default=900, metavar="SECONDS", help="longest wait for a server that cannot answer (default 900)")
    o = p.parse_args(args)
    if not 0 < o.timeout <= 3600 or not 0 <= o.patience <= 86400:
        p.error("--timeout is over 0 and up to 3600, --patience from 0 to 86400")
    return o


def environment():
    """Gives base and key, which come from nowhere else: arguments can be seen by other users of the machine."""
    base, key = os.environ.get("LINESCLASH_BASE", "").rstrip("/"), os.environ.get("LINESCLASH_KEY", "")
    try:
        url = urllib.parse.urlsplit(base)
        host, _ = url.hostname, url.port
    except ValueError:
        host = None
    if not host or url.scheme not in ("https", "http") or url.username is not None or url.query or url.fragment:
        raise Stop(USAGE, "LINESCLASH_BASE has to be the server's address, as https://arena.example")
    if url.scheme == "http" and host not in ("127.0.0.1", "::1", "localhost"):
        raise Stop(USAGE, "LINESCLASH_BASE has to be https: the key would travel in clear")
    if not re.fullmatch(r"[!-~]{1,512}", key):
        raise Stop(USAGE, "LINESCLASH_KEY has to be your key")
    return base, key


def main():
    o = options(sys.argv[1:])
    try:
        base, key = environment()
        create = {"opponent": o.opponent, "name": o.name, "agentSeat": o.seat, "control": o.control}
        if o.game:
            create["game"] = o.game
        create["requestId"] = str(uuid.uuid4())
        state = State(o.state, base, create)
        if not state.load():
            state.save()
        if state["over"] is None:
            Match(Api(state, key, o.timeout, o.patience), state).play()
        return report(state)
    except Stop as stop:
        say(stop)
        return stop.status
    except RecursionError:
        say("the server's answer is no observation: it nests too deep")
        return STRANGE
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
