// An agent that plays Connect Four over agentarena/1. Run: node agent.mjs [port]

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { Board, O, X } from "./board.mjs";
import { choose } from "./player.mjs";

const MAX_BODY = 64 * 1024; // bytes of a request
const MAX_REMEMBERED = 1000; // moves
const BODY_MS = 10_000; // for a request to come
const THINK_MS = 2000; // at most, and never more than half the deadline

/** What is answered with a status other than 200. */
class Refusal extends Error {
  constructor(status, message, headers = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Moves by all that is asked but nonce and strikes: the same request again gets the same move again. Whoever knows the URL can ask about a
 * match that is at play, and what such a stranger makes up must not be remembered as the answer to the referee.
 */
const remembered = new Map();

/** Names a request, whatever its length. */
function keyOf(turn) {
  const asked = [turn.match_id, turn.move_number, turn.game, turn.you, turn.opponent, turn.board, turn.legal, turn.deadline_ms];
  return createHash("sha256").update(JSON.stringify(asked)).digest("base64");
}

/** Answers one move request. */
function play(turn) {
  check(turn);
  const key = keyOf(turn);
  let known = remembered.get(key);
  if (!known) {
    known = think(turn);
    remembered.set(key, known);
    if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value);
  }
  return { move: known.move, nonce: turn.nonce, reason: known.reason };
}

/** Throws a Refusal where a turn is not one that this agent can play. */
function check(turn) {
  const refuse = (message) => {
    throw new Refusal(422, message);
  };
  if (turn === null || typeof turn !== "object" || Array.isArray(turn)) refuse("not a JSON object");
  if (turn.protocol !== "agentarena/1") refuse('protocol is not "agentarena/1"');
  if (turn.type !== "move_request") refuse('type is not "move_request"');
  if (turn.game !== "connect4" && turn.game !== "connect-four") refuse("this agent plays connect4 alone");
  for (const name of ["match_id", "nonce", "board"]) {
    if (typeof turn[name] !== "string" || turn[name] === "") refuse(`${name} is not a string with something in it`);
  }
  if (!Number.isSafeInteger(turn.move_number) || turn.move_number < 1) refuse("move_number is not a count from 1");
  if (turn.you !== "X" && turn.you !== "O") refuse('you is neither "X" nor "O"');
  if (!Array.isArray(turn.legal) || turn.legal.length === 0) refuse("legal is not a list with something in it");
}

/** Finds a move among the legal ones. */
function think(turn) {
  const until = performance.now() + Math.min(THINK_MS, turn.deadline_ms > 0 ? turn.deadline_ms / 2 : THINK_MS);
  let board;
  try {
    board = Board.parse(turn.board);
  } catch (err) {
    throw new Refusal(422, err.message);
  }
  const columns = [...board.letters].map((_, column) => column).filter((column) => board.open(column) && turn.legal.includes(board.letters[column]));
  if (columns.length === 0) throw new Refusal(422, "no column is open on the board and legal too");
  const { column, why } = choose(board, turn.you === "X" ? X : O, columns, { until });
  return { move: board.letters[column], reason: why };
}

/** Reads the body of a request, up to MAX_BODY bytes. */
async function read(req) {
  const chunks = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Refusal(413, `more than ${MAX_BODY} bytes`, { connection: "close" });
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Refusal(400, "not JSON");
  }
}

async function answer(req) {
  if (req.url.split("?")[0] !== "/play") throw new Refusal(404, "moves are asked for at /play");
  if (req.method !== "POST") throw new Refusal(405, "only POST", { allow: "POST" });
  return play(await read(req));
}

function send(res, status, body, headers = {}) {
  const text = JSON.stringify(body);
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers });
  res.end(text);
}

const server = createServer({ requestTimeout: BODY_MS, headersTimeout: BODY_MS, connectionsCheckingInterval: 1000 }, async (req, res) => {
  try {
    send(res, 200, await answer(req));
  } catch (err) {
    if (res.destroyed || res.headersSent) return; // the caller has gone
    if (!(err instanceof Refusal)) console.error(err);
    const { status = 500, message, headers } = err instanceof Refusal ? err : { message: "this agent is broken" };
    send(res, status, { error: message }, headers);
  }
});
// A referee keeps its connection while the opponent thinks. Node's five seconds would close it just as the next request comes.
server.keepAliveTimeout = 10 * 60 * 1000;
server.on("error", (err) => {
  console.error(err.message);
  process.exit(1);
});

const port = process.argv[2] ?? process.env.PORT ?? "8080";
if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) {
  console.error(`not a port: ${port}`);
  process.exit(2);
}
const host = process.env.HOST || "127.0.0.1";
server.listen(Number(port), host, () => {
  const { address, family, port } = server.address();
  console.log(`listening on http://${family === "IPv6" ? `[${address}]` : address}:${port}`);
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    server.close();
    setTimeout(() => process.exit(0), 1000).unref(); // whoever is still being answered has a second
  });
}
