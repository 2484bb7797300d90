import { Exit, pause, plain, say, sleep, Stop, type Json } from "./protocol.js";
import type { State } from "./state.js";

const MAX_BODY = 4 << 20; // bytes of an answer
const MAX_DEPTH = 200; // of the JSON of an answer
const DAY = 86_400_000; // milliseconds: the longest Retry-After that is believed

/** What the server says. json is that of a 200 or 201. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: Json;
}

/** Sends requests, each again and again until the server has answered it or patience is over. Times are in milliseconds. */
export class Api {
  constructor(
    private readonly state: State,
    private readonly key: string,
    private readonly timeout: number,
    private readonly patience: number,
  ) {}

  /** Sends a request once. Throws where there is no whole answer. */
  private async once(path: string, body: string | undefined, wait: number): Promise<Answer> {
    const headers: Record<string, string> = { accept: "application/json", authorization: `Bearer ${this.key}`, "user-agent": "grid-client-typescript/1" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (wait > 0) headers["prefer"] = `wait=${wait}`;
    const response = await fetch(`${this.state.saved.base}/api/benchmarks/matches${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers,
      redirect: "manual", // a redirect would carry the key to wherever it points
      signal: AbortSignal.timeout(this.timeout + wait * 1000),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, text: await read(response), json: null };
  }

  /** Gives the answer to a request: JSON with the status 200 or 201, or a status that trying again does not change. wait is in seconds. */
  async call(path: string, payload?: object, wait = 0): Promise<Answer> {
    const body = payload === undefined ? undefined : JSON.stringify(payload);
    await this.keepAway();
    const began = performance.now();
    for (let tries = 1; ; tries++) {
      let why: string;
      let told: number | undefined;
      try {
        const answer = await this.once(path, body, wait);
        const { status } = answer;
        why = `the server says ${status} ${complaint(answer.text)}`;
        if (status === 429 || status === 503) {
          told = retryAfter(answer.headers);
        } else if (status === 200 || status === 201) {
          const json = parse(answer.text);
          if (json !== undefined) return { ...answer, json };
          why = "the server's answer is no JSON";
        } else if (status !== 408 && status !== 425 && status < 500) {
          return answer;
        }
      } catch (err) {
        if (err instanceof Stop) throw err;
        const { cause, message } = err as Error;
        why = `no answer: ${plain(cause instanceof Error ? cause.message : message)}`;
      }
      const delay = Math.max(told ?? 0, pause(250, tries)); // 0 would be at once, again and again
      if (told !== undefined) this.state.save({ notBefore: Math.ceil(Date.now() + told) });
      if (performance.now() - began + delay > this.patience) {
        throw new Stop(Exit.later, `${why}; run the same command again in ${Math.ceil(delay / 1000)} s or later`);
      }
      say(`${why}; again in ${(delay / 1000).toFixed(1)} s`);
      await sleep(delay);
    }
  }

  /** Keeps a Retry-After that an earlier run was given. */
  private async keepAway(): Promise<void> {
    const left = Math.min(this.state.saved.notBefore - Date.now(), DAY);
    if (left > this.patience) {
      throw new Stop(Exit.later, `the server asked for patience; run the same command again in ${Math.ceil(left / 1000)} s or later`);
    }
    await sleep(left);
  }
}

/** Reads the body of a response, up to MAX_BODY bytes. */
async function read(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BODY) {
      await reader.cancel();
      throw new Stop(Exit.strange, `the server answered with more than ${MAX_BODY} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/** Gives the milliseconds of a Retry-After header, a number of seconds or a date; undefined where it has neither. */
function retryAfter(headers: Headers): number | undefined {
  const value = (headers.get("retry-after") ?? "").trim();
  if (/^[0-9]+$/.test(value)) return Math.min(DAY, Number(value) * 1000);
  const then = date(value);
  if (Number.isNaN(then)) return undefined;
  const now = date(headers.get("date") ?? "");
  // The server's own clock counts, whatever ours says; a second more, since dates have whole ones.
  return Math.min(DAY, Math.max(0, then - (Number.isNaN(now) ? Date.now() : now) + 1000));
}

/** Reads an HTTP date; NaN where it is none. Date.parse alone takes nearly anything for a date. */
function date(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : NaN;
}

/** Reads JSON; undefined where it is none, or nests deeper than any answer does. */
function parse(text: string): Json | undefined {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > MAX_DEPTH) return undefined;
  }
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Gives the code and detail of a problem document, as far as there are any. */
export function complaint(text: string): string {
  try {
    const problem = JSON.parse(text) as { code?: unknown; detail?: unknown } | null;
    return plain([problem?.code, problem?.detail].filter((part) => part !== undefined).join(" "));
  } catch {
    return "";
  }
}
