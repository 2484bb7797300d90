// The wire: one WebSocket to an arena, opened again whenever it breaks. Nothing here needs to be changed for an agent of your own.

import { EventEmitter } from "node:events";
import WebSocket from "ws";

const PROTOCOL = "ludux/1";
const MAX_FRAME = 32_768; // bytes, either way
const MAX_COMMENTARY = 280; // code points
const CONNECT_MS = 15_000; // for an attempt, up to the welcome
const FIRST_PAUSE_MS = 250; // doubles from attempt to attempt, up to
const LONGEST_PAUSE_MS = 10_000;
const LONGEST_WAIT_MS = 300_000; // that an arena may ask for
const SETTLED_MS = 10_000; // a connection that held so long was a good one
const MISSED_PINGS = 3; // before an arena is taken for dead
const SEATS = 1024; // kept in mind
const REPLACED = 4001; // close code

/** Why the agent has to stop: status is for process.exit. */
export class Stop extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** What an arena or an agent said, as one line that is safe to print. */
export const quote = (text) => JSON.stringify(String(text)).replace(/[\u007f-\u{10ffff}]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

/**
 * Client plays with choose(request, {signal}) until close() or until it has to stop. It emits
 *
 *   "start" (message), "end" (message)   once for each match
 *   "warning" (message)                  a deadline comes near
 *   "complaint" (text)                   what went wrong and is being mended
 *   "stop" (Stop)                        the last event, when it does not go on by itself
 */
export class Client extends EventEmitter {
  #url;
  #key;
  #choose;
  #socket = null; // the live one, once welcomed
  #seats = new Map(); // by match and seat, the one asked longest ago first
  #started = new Set(); // matches that were told of
  #ended = new Set();
  #tries = 0; // since a connection was of use
  #hold = 0; // nothing is sent before
  #retry;
  #closed = false;
  #hangUp = () => {}; // ends the connection, welcomed or not

  constructor({ url, key, choose }) {
    super();
    this.#url = url;
    this.#key = key;
    this.#choose = choose;
  }

  /** Opens the first connection. */
  open() {
    this.#connect();
  }

  /** Says goodbye; no event follows. */
  close() {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#retry);
    for (const thought of this.#seats.values()) this.#drop(thought);
    this.#seats.clear();
    this.#hangUp();
  }

  #connect() {
    const socket = new WebSocket(this.#url, {
      headers: { authorization: `Bearer ${this.#key}` }, // never in the URL, which is logged everywhere
      maxPayload: MAX_FRAME,
      perMessageDeflate: false,
      followRedirects: false, // the key would go along
    });
    let why = "";
    let wait = 0; // that the arena asks for
    let stop;
    let patience = 0; // without a sign of life
    let silence;
    let since; // the welcome
    const giveUp = (text) => {
      why ||= text;
      socket.terminate();
    };
    const greeting = setTimeout(() => giveUp("no welcome in time"), CONNECT_MS);
    const heard = () => {
      clearTimeout(silence);
      if (patience > 0) silence = setTimeout(() => giveUp("no sign of life"), patience);
    };
    this.#hangUp = () => {
      socket.close(1000);
      setTimeout(() => socket.terminate(), 1000).unref();
    };
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      why = `status ${response.statusCode}`;
      if (response.statusCode === 401 || response.statusCode === 403) stop = new Stop(`the arena refuses the key: status ${response.statusCode}`, 3);
      wait = retryAfter(response.headers["retry-after"]);
      socket.terminate();
    });
    socket.on("ping", heard); // which the library answers
    socket.on("error", (err) => (why ||= err.message));
    socket.on("message", (data, isBinary) => {
      heard();
      const message = isBinary ? null : parse(data);
      if (message === null) return this.emit("complaint", "a frame that is no message of the protocol");
      if (message.type === "error" && message.code === "unauthorized") {
        stop = new Stop(`the arena refuses the key: ${quote(message.message)}`, 3);
        return socket.terminate();
      }
      if (since === undefined) {
        if (message.type !== "welcome") return giveUp(`no welcome, but ${quote(message.type)} ${quote(message.code ?? "")}`);
        clearTimeout(greeting);
        since = Date.now();
        patience = MISSED_PINGS * (message.ping_ms ?? 0);
        heard();
        this.#socket = socket;
        return;
      }
      if (message.type !== "error") this.#tries = 0;
      this.#handle(message, socket);
    });
    socket.on("close", (code, reason) => {
      clearTimeout(greeting);
      clearTimeout(silence);
      if (this.#socket === socket) this.#socket = null;
      if (this.#closed) return;
      if (code === REPLACED) stop = new Stop("another connection of this agent has taken over", 4);
      if (stop) {
        this.close();
        this.emit("stop", stop);
        return;
      }
      if (since !== undefined && Date.now() - since >= SETTLED_MS) this.#tries = 0;
      // Full jitter, so that the agents of an arena that comes back do not all come at once.
      const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#tries++);
      const pause = Math.random() * ceiling + Math.max(wait, this.#hold - Date.now(), 0);
      this.emit("complaint", `connection lost (${why ? quote(why) : `${code} ${quote(reason)}`}), again in ${Math.round(pause)} ms`);
      this.#retry = setTimeout(() => this.#connect(), pause);
    });
  }

  /** Does what a message asks for; one of an unknown type is of a later version. */
  #handle(message, socket) {
    switch (message.type) {
      case "action_request":
        return this.#asked(message, socket);
      case "match_start":
        if (remember(this.#started, message.match_id)) this.emit("start", message);
        return;
      case "match_end":
        this.#forget(message.match_id);
        if (remember(this.#ended, message.match_id)) this.emit("end", message);
        return;
      case "timeout_warning":
        this.emit("warning", message);
        return;
      case "error":
        this.emit("complaint", `error ${quote(message.code)} about match ${quote(message.match_id ?? "")}: ${quote(message.message ?? "")}`);
        if (message.code === "match_over") this.#forget(message.match_id);
        if (message.code === "rate_limited") this.#slower(message, socket);
    }
  }

  /** Takes up a request. One that comes again is thought about once, and answered each time. */
  #asked(request, socket) {
    const name = JSON.stringify([request.match_id, request.seat]);
    let thought = this.#seats.get(name);
    if (thought?.seq !== request.seq) {
      if (thought) this.#drop(thought); // its answer would be stale
      thought = { match: request.match_id, seq: request.seq, answer: null, socket: null, until: 0, controller: new AbortController() };
      this.#think(thought, request);
    }
    this.#time(thought, request);
    this.#seats.delete(name);
    this.#seats.set(name, thought);
    if (this.#seats.size > SEATS) {
      const [oldest, forgotten] = this.#seats.entries().next().value;
      this.#drop(forgotten);
      this.#seats.delete(oldest);
    }
    thought.socket = socket;
    this.#deliver(thought);
  }

  async #think(thought, request) {
    const { signal } = thought.controller;
    try {
      thought.answer = respond(request, await Promise.race([aborted(signal), (async () => this.#choose(request, { signal }))()]));
    } catch (err) {
      if (thought.dropped) return;
      const about = `match ${quote(request.match_id)}: ${quote(err?.message ?? err)}`;
      try {
        thought.answer = respond(request, { action: request.legal_actions[0] });
        this.emit("complaint", `${about}: the first legal action is taken`);
      } catch {
        return this.emit("complaint", `${about}: nor can the first legal action be taken`);
      }
    }
    clearTimeout(thought.over);
    if (!thought.dropped) this.#deliver(thought);
  }

  /** Bounds the time of a thought. An arena that was down may give more than it gave before; less takes nothing away. */
  #time(thought, { deadline_ms: left = 3_600_000 }) {
    // The answer has to travel, too: a second, or a fifth of a short time, is kept for that.
    const until = Date.now() + left - Math.min(1000, left / 5);
    if (thought.answer !== null || until <= thought.until) return;
    thought.until = until;
    clearTimeout(thought.over);
    thought.over = setTimeout(() => thought.controller.abort(new Error("out of time")), Math.min(Math.max(until - Date.now(), 0), 2 ** 31 - 1));
  }

  /** Sends an answer over the connection that asked last, if it is there still. */
  #deliver(thought) {
    const { socket } = thought;
    if (thought.answer === null || socket === null || socket !== this.#socket) return;
    const wait = this.#hold - Date.now();
    if (wait > 0) {
      clearTimeout(thought.later);
      thought.later = setTimeout(() => this.#deliver(thought), wait);
      return;
    }
    thought.socket = null;
    socket.send(thought.answer, () => {}); // what fails to go out is asked for again
  }

  /** The arena took a message for one too many: it is left alone for a while, and gets that message again. */
  #slower(message, socket) {
    this.#hold = Date.now() + Math.min(message.retry_after_ms || 1000, LONGEST_WAIT_MS);
    for (const thought of this.#seats.values()) {
      if (thought.match === message.match_id && thought.seq === message.seq) {
        thought.socket = socket;
        this.#deliver(thought);
      }
    }
  }

  #drop(thought) {
    thought.dropped = true;
    clearTimeout(thought.later);
    clearTimeout(thought.over);
    thought.controller.abort(new Error("not asked any more"));
  }

  #forget(match) {
    for (const [name, thought] of this.#seats) {
      if (thought.match !== match) continue;
      this.#drop(thought);
      this.#seats.delete(name);
    }
  }
}

/** Reads a message; null: it is none. */
function parse(data) {
  try {
    const message = JSON.parse(data);
    const known = message?.protocol === PROTOCOL && typeof message.type === "string";
    const request = message?.type === "action_request";
    return known && (!request || (Array.isArray(message.legal_actions) && message.legal_actions.length > 0 && Number.isSafeInteger(message.seq))) ? message : null;
  } catch {
    return null;
  }
}

/** Makes the answer to a request, as text. */
function respond(request, choice) {
  if (choice?.action === undefined || choice.action === null) throw new Error("no action was chosen");
  const seat = sharesMatch(request) ? request.seat : undefined; // which is left out
  const response = { protocol: PROTOCOL, type: "action_response", match_id: request.match_id, seq: request.seq, seat, action: choice.action };
  if (choice.commentary) response.commentary = Array.from(String(choice.commentary)).slice(0, MAX_COMMENTARY).join("");
  const text = JSON.stringify(response);
  if (Buffer.byteLength(text) > MAX_FRAME) throw new Error(`an answer of more than ${MAX_FRAME} bytes`);
  return text;
}

/** Reports whether the agent has other seats in the match, which may be asked with the same seq. */
function sharesMatch({ agent, opponents }) {
  return Boolean(agent?.slug) && Array.isArray(opponents) && opponents.some((o) => o?.slug === agent.slug);
}

/** A promise that fails when signal is aborted. */
function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** Reports whether a match is new to a set, which keeps the newest thousand. */
function remember(set, match) {
  if (set.has(match)) return false;
  set.add(match);
  if (set.size > 1000) set.delete(set.values().next().value);
  return true;
}

/** Reads a Retry-After header, seconds or a date, in milliseconds. */
function retryAfter(value = "") {
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Math.min(Math.max(ms || 0, 0), LONGEST_WAIT_MS);
}
