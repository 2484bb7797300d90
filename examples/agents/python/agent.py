"""An agent for ludux/1 over signed HTTPS POSTs. Python 3.10 or newer, standard library only.

    LUDUX_SECRET=whsec_... python3 agent.py --port 8080

Replace choose(). The rest is what an agent needs around it: only an arena that signs with the secret is let in, old and
repeated deliveries are not, and a request that comes again is answered as it was the first time.
"""

import argparse
import base64
import binascii
import collections
import hashlib
import hmac
import io
import json
import os
import random
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROTOCOL = "ludux/1"
MAX_BODY = 32_768  # bytes of a message
MAX_COMMENTARY = 280  # characters
TOLERANCE = 300  # seconds that a timestamp may be off, either way
REMEMBERED = 16_384  # deliveries, and
ANSWERS = 1_024  # answers that are kept
REQUEST_TIME = 10  # seconds for a request to come
IDLE_TIME = 120  # seconds that a connection may be idle: longer than an arena keeps one
CONNECTIONS = 128  # at once


# ---- what the agent thinks --------------------------------------------------------------------------------------------


def choose(request, rng):
    """Gives an action and a commentary ("" for none) for an action_request.

    The action is one of request["legal_actions"], or something else that request["action_schema"], where there is one,
    allows. rng gives the same numbers whenever the same request comes, so that not even a restart changes an answer.
    Commentary is shown to everybody sooner or later. Names and texts in the request are the words of others.
    """
    legal = request["legal_actions"]
    if request["game"] == "connect-four":
        column = winning_column(request)
        if column is not None:
            return column, "There it is."
    if request["game"] == "werewolf":
        if legal[0]["type"] == "say":
            return {"type": "say", "text": speech(request, rng)}, ""
        named = [a for a in legal if a.get("target") is not None]
        return rng.choice(named or legal), ""
    return rng.choice(legal), ""


def winning_column(request):
    """Gives a column that makes a line, else one where the opponent would make one, else None."""
    state, rules = request["state"], request["ruleset"]
    board, me, connect = state["board"], state["you_are"], rules.get("connect", 4)
    for disc in (me, 1 - me):
        for column in request["legal_actions"]:
            row = next(r for r in range(len(board)) if board[r][column] is None)
            if makes_line(board, row, column, disc, connect):
                return column
    return None


def makes_line(board, row, column, disc, connect):
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            r, c = row + sign * dr, column + sign * dc
            while 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] == disc:
                length, r, c = length + 1, r + sign * dr, c + sign * dc
        if length >= connect:
            return True
    return False


def speech(request, rng):
    others = [p["seat"] for p in request["state"]["players"] if p["alive"] and p["seat"] != request["seat"]]
    if not others:
        return "Nobody is left to talk to."
    return rng.choice(("I do not trust seat {}.", "Seat {} has been quiet.", "What does seat {} say to that?")).format(rng.choice(others))


# ---- who is let in ----------------------------------------------------------------------------------------------------


class Refused(Exception):
    """A delivery that does not count; status is what its sender gets."""

    def __init__(self, status, why):
        super().__init__(why)
        self.status = status


def parse_secrets(text):
    """Reads one or several secrets, the newest first, with white space between them."""
    keys = []
    for number, word in enumerate(text.split(), 1):
        try:
            key = base64.b64decode(word.removeprefix("whsec_"), validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if not 24 <= len(key) <= 64:
            raise ValueError(f"secret {number} is not whsec_ and the base64 of 24 to 64 bytes")
        keys.append(key)
    if not keys:
        raise ValueError("no secret: LUDUX_SECRET is to hold what the arena shows as whsec_...")
    return keys


class Verifier:
    """Standard Webhooks: HMAC-SHA256 over "id.timestamp.body", and each delivery counts once."""

    def __init__(self, keys, now=time.time):
        self.keys, self.now = keys, now
        self.lock = threading.Lock()
        self.seen = collections.OrderedDict()  # digest of a delivery -> until when it would be good

    def verify(self, headers, body):
        """Raises Refused unless a delivery is the arena's and new. headers are an email.message.Message."""
        values = []
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            found = headers.get_all(name, [])
            if len(found) != 1:
                raise Refused(401, f"one header {name} is wanted")
            values.append(found[0].strip())
        ident, stamp, signatures = values
        if not ident or len(ident) > 256 or "." in ident or not ident.isascii():
            raise Refused(401, "the id cannot be read")
        if not (stamp.isascii() and stamp.isdecimal() and len(stamp) <= 12):
            raise Refused(401, "the timestamp is no whole number of seconds")
        now = self.now()
        if abs(now - int(stamp)) > TOLERANCE:
            raise Refused(401, "the timestamp is too far from now")
        content = f"{ident}.{stamp}.".encode() + body
        given = [s[3:].encode() for s in signatures.split(" ") if s.startswith("v1,") and s.isascii()][:8]
        good = False
        for key in self.keys:
            right = base64.b64encode(hmac.digest(key, content, "sha256"))
            for signature in given:
                good |= hmac.compare_digest(right, signature)
        if not good:
            raise Refused(401, "no signature is right")
        # An arena that gets no answer sends the message again, with the same id and a new timestamp: that is another
        # delivery. The very same one again is somebody else's.
        with self.lock:
            while self.seen and (len(self.seen) >= REMEMBERED or next(iter(self.seen.values())) < now):
                self.seen.popitem(last=False)
            digest = hashlib.sha256(content).digest()
            if digest in self.seen:
                raise Refused(409, "this delivery has come before")
            self.seen[digest] = int(stamp) + TOLERANCE


# ---- what is answered -------------------------------------------------------------------------------------------------


class Agent:
    """Answers messages; the same request always alike."""

    def __init__(self, choose=choose):
        self.choose = choose
        self.lock = threading.Lock()
        self.answers = collections.OrderedDict()  # what was asked -> Answer

    def handle(self, message):
        """Gives the body of the answer to a message; None: there is nothing to say."""
        if not isinstance(message, dict) or message.get("protocol") != PROTOCOL:
            raise Refused(400, f"not a message of {PROTOCOL}")
        kind = message.get("type")
        if kind == "action_request":
            return self.act(message)
        # match_start and match_end tell of a match; other types may come one day.
        return None

    def act(self, request):
        asked = {k: v for k, v in request.items() if k not in ("deadline_ms", "deadline_at", "issued_at")}
        key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).digest()
        with self.lock:
            answer = self.answers.get(key)
            mine = answer is None
            if mine:
                answer = self.answers[key] = Answer()
                while len(self.answers) > ANSWERS:
                    self.answers.popitem(last=False)
        if mine:
            try:
                answer.body = self.think(request, random.Random(key))
            except BaseException:
                with self.lock:
                    self.answers.pop(key, None)  # the next one may try again
                raise
            finally:
                answer.done.set()
        else:
            answer.done.wait(max(0, request["deadline_ms"]) / 1000)
        if answer.body is None:
            raise Refused(503, "still thinking, or failed")
        return answer.body

    def think(self, request, rng):
        action, commentary = self.choose(request, rng)
        response = {
            "protocol": PROTOCOL,
            "type": "action_response",
            "match_id": request["match_id"],
            "seq": request["seq"],
            "action": action,
        }
        if commentary:
            response["commentary"] = commentary[:MAX_COMMENTARY]
        return json.dumps(response, separators=(",", ":")).encode()


class Answer:
    def __init__(self):
        self.done = threading.Event()
        self.body = None


# ---- HTTP -------------------------------------------------------------------------------------------------------------


class Reader(io.RawIOBase):
    """What comes on a connection. A request has REQUEST_TIME, however slowly it drips; the first one from the connection on."""

    def __init__(self, connection):
        self.connection, self.end = connection, time.monotonic() + REQUEST_TIME

    def readable(self):
        return True

    def readinto(self, buffer):
        left = IDLE_TIME if self.end is None else self.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(left)
        n = self.connection.recv_into(buffer)
        if self.end is None:
            self.end = time.monotonic() + REQUEST_TIME
        return n

    def complete(self):
        """Says that a request has come: until the next one begins, the connection is idle."""
        self.end = None
        self.connection.settimeout(IDLE_TIME)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "ludux-agent"
    sys_version = ""
    timeout = IDLE_TIME
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body of an answer go out together

    def setup(self):
        super().setup()
        self.rfile.close()
        self.reader = Reader(self.connection)
        self.rfile = io.BufferedReader(self.reader)

    def do_POST(self):
        try:
            body = self.read_body()
            self.server.verifier.verify(self.headers, body)
            try:
                message = json.loads(body)
            except (ValueError, RecursionError):
                raise Refused(400, "the body is not JSON") from None
            answer = self.server.agent.handle(message)
        except Refused as e:
            if e.status == 401:
                self.close_connection = True  # strangers keep no place
            self.answer(e.status, "text/plain; charset=utf-8", f"{e}\n".encode())
        except OSError:
            self.close_connection = True
        except Exception as e:  # choose() failed, as a rule: the arena asks again
            print(f"no answer was found: {e!r}", file=sys.stderr, flush=True)
            self.answer(500, "text/plain; charset=utf-8", b"no answer was found\n")
        else:
            if answer is None:
                self.answer(204)
            else:
                self.answer(200, "application/json", answer)

    def read_body(self):
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal()) or "transfer-encoding" in self.headers:
            self.close_connection = True
            raise Refused(411, "content-length is wanted")
        if len(length) > 9 or int(length) > MAX_BODY:
            self.close_connection = True
            raise Refused(413, f"a message has at most {MAX_BODY} bytes")
        try:
            body = self.rfile.read(int(length))
        except TimeoutError:
            self.close_connection = True
            raise Refused(408, "the request took too long") from None
        finally:
            self.reader.complete()
        if len(body) < int(length):
            raise ConnectionError("the body ends early")
        return body

    def answer(self, status, kind=None, body=b""):
        self.send_response(status)
        if kind is not None:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass  # a line for each request helps nobody


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address, verifier, agent):
        self.verifier, self.agent = verifier, agent
        self.slots = threading.BoundedSemaphore(CONNECTIONS)
        super().__init__(address, Handler)

    def process_request(self, request, client_address):
        if self.slots.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.slots.release()

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], OSError):  # that is somebody who hung up
            super().handle_error(request, client_address)

    def server_bind(self):
        # Without looking up the host's name, which may take seconds.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.server_address[:2]


def main():
    parser = argparse.ArgumentParser(description="An agent for ludux/1 over signed POSTs. The secret comes from LUDUX_SECRET.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=int, default=8080, help="port; 0 is any free one (%(default)s)")
    options = parser.parse_args()
    try:
        keys = parse_secrets(os.environ.get("LUDUX_SECRET", ""))
        server = Server((options.host, options.port), Verifier(keys), Agent())
    except (ValueError, OSError, OverflowError) as e:
        sys.exit(f"agent.py: {e}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    print(f"listening on http://{options.host}:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
