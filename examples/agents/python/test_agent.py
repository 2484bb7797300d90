"""Tests of the agent's parts: python3 test_agent.py"""

import base64
import email.message
import hmac
import json
import socket
import threading
import time
import unittest

import agent

KEYS = [b"k" * 24, b"l" * 32]
NOW = 1_787_947_185


def headers(ident, stamp, body, *keys):
    h = email.message.Message()
    h["Webhook-Id"], h["Webhook-Timestamp"] = ident, str(stamp)
    macs = (hmac.digest(k, f"{ident}.{stamp}.".encode() + body, "sha256") for k in keys)
    h["Webhook-Signature"] = " ".join("v1," + base64.b64encode(m).decode() for m in macs)
    return h


def request(**changes):
    r = {
        "protocol": "ludux/1", "type": "action_request", "match_id": "m", "game": "nim", "ruleset": {}, "seat": 0, "seq": 1,
        "deadline_ms": 1000, "deadline_at": "2026-08-28T20:00:00+00:00", "issued_at": "2026-08-28T19:59:45+00:00", "state": {},
        "legal_actions": [1, 2, 3],
    }
    return r | changes


class TestVerifier(unittest.TestCase):
    def setUp(self):
        self.now = NOW
        self.verifier = agent.Verifier(KEYS, lambda: self.now)

    def status(self, *args):
        h = headers(*args)
        try:
            self.verifier.verify(h, args[2])
        except agent.Refused as e:
            return e.status
        return 200

    def test_tolerance(self):
        for off, want in ((-301, 401), (-300, 200), (0, 200), (300, 200), (301, 401)):
            self.assertEqual(self.status("msg_1", NOW + off, b"{}", KEYS[0]), want, off)

    def test_replay(self):
        self.assertEqual(self.status("msg_1", NOW, b"{}", *KEYS), 200)
        self.assertEqual(self.status("msg_1", NOW, b"{}", *KEYS), 409)
        self.assertEqual(self.status("msg_1", NOW, b"{}", KEYS[1]), 409)  # with one of its signatures
        self.assertEqual(self.status("msg_1", NOW + 1, b"{}", KEYS[1]), 200)  # signed again
        self.now += 300
        self.assertEqual(self.status("msg_2", self.now, b"{}", KEYS[1]), 200)
        self.assertEqual(self.status("msg_1", NOW, b"{}", *KEYS), 409)
        self.now += 2
        self.assertEqual(self.status("msg_1", NOW, b"{}", *KEYS), 401)
        self.assertEqual(self.status("msg_3", self.now, b"{}", KEYS[1]), 200)
        self.assertEqual(len(self.verifier.seen), 2)  # the two that are good still

    def test_bounded(self):
        for i in range(agent.REMEMBERED + 10):
            self.verifier.verify(headers(f"msg_{i}", NOW, b"", KEYS[0]), b"")
        self.assertEqual(len(self.verifier.seen), agent.REMEMBERED)

    def test_secrets(self):
        text = " ".join("whsec_" + base64.b64encode(k).decode() for k in KEYS)
        self.assertEqual(agent.parse_secrets(f"\n{text} "), KEYS)


class TestAgent(unittest.TestCase):
    def setUp(self):
        self.calls = 0

    def choose(self, request, rng):
        self.calls += 1
        return self.calls, "x" * 1000

    def test_alike(self):
        a = agent.Agent(self.choose)
        first = a.handle(request())
        said = json.loads(first)
        self.assertEqual((said["match_id"], said["seq"], said["action"], len(said["commentary"])), ("m", 1, 1, 280))
        self.assertEqual(a.handle(request(deadline_ms=10, issued_at="2026-08-28T19:59:59+00:00")), first)
        for i, change in enumerate(({"seq": 2}, {"match_id": "n"}, {"seat": 1}, {"state": {"a": 1}}), 2):
            self.assertEqual(json.loads(a.handle(request(**change)))["action"], i)
        self.assertEqual(a.handle(request()), first)

    def test_together(self):
        free, got = threading.Event(), []

        def slow(r, rng):
            free.wait(60)
            return self.choose(r, rng)

        a = agent.Agent(slow)
        threads = [threading.Thread(target=lambda: got.append(a.handle(request(deadline_ms=60_000)))) for _ in range(8)]
        for t in threads:
            t.start()
        free.set()
        for t in threads:
            t.join()
        self.assertEqual((len(got), len(set(got)), self.calls), (8, 1, 1))

    def test_fails(self):
        def fail_once(r, rng):
            self.choose(r, rng)
            if self.calls == 1:
                raise KeyError("x")
            return 3, ""

        a = agent.Agent(fail_once)
        with self.assertRaises(KeyError):
            a.handle(request())
        self.assertNotIn("commentary", json.loads(a.handle(request())))
        self.assertEqual(self.calls, 2)

    def test_bounded(self):
        a = agent.Agent(self.choose)
        for i in range(agent.ANSWERS + 10):
            a.handle(request(seq=i))
        self.assertEqual(len(a.answers), agent.ANSWERS)


class TestReader(unittest.TestCase):
    def test_time(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            r = agent.Reader(ours)
            self.assertIsNotNone(r.end)  # a connection is no reason to wait for long
            theirs.sendall(b"ab")
            self.assertEqual(r.read(1), b"a")
            r.end = time.monotonic()
            with self.assertRaises(TimeoutError):  # though there is something: it drips
                r.read(1)
            r.complete()
            self.assertEqual((r.end, ours.gettimeout()), (None, agent.IDLE_TIME))
            self.assertEqual(r.read(1), b"b")
            self.assertIsNotNone(r.end)  # the next request has begun


class TestChoose(unittest.TestCase):
    def test_lines(self):
        for discs, want in (
            ({(0, 0): 0, (0, 1): 0, (0, 2): 0}, 3),  # makes four
            ({(0, 0): 1, (0, 1): 1, (0, 2): 1}, 3),  # stops four
            ({(0, 2): 1, (1, 2): 1, (2, 2): 1, (0, 5): 0, (1, 5): 0, (2, 5): 0}, 5),  # its own comes first
            ({(0, 0): 0, (1, 1): 0, (2, 2): 0, (0, 3): 1, (1, 3): 0, (2, 3): 1}, 3),  # aslant
            ({(0, 0): 0, (0, 1): 0}, None),
        ):
            board = [[discs.get((r, c)) for c in range(7)] for r in range(6)]
            r = request(state={"board": board, "you_are": 0}, legal_actions=list(range(7)))
            self.assertEqual(agent.winning_column(r), want, discs)


if __name__ == "__main__":
    unittest.main()
