/** JSON of any kind. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A legal move: a cell of the grid, or an action of another game. */
export type Move = Json;

/** What the server sends, as far as this client and most solvers need it. What else it sends is there too. */
export interface Observation {
  matchId: string;
  status: "agent" | "ai" | "completed" | "expired" | "failed";
  reason?: string;
  seat: number;
  /** Of the grid: board[row][col] is whose mark, or -1. */
  board?: number[][];
  legalMoves: Move[];
  scores: Json;
  /** Accepted moves of both sides. */
  revision: number;
  remainingMs: number;
}

/** The payload that begins the match. */
export interface Create {
  opponent: string;
  name: string;
  agentSeat: number;
  control: string;
  game?: string;
  requestId: string;
}

/** The payload of a move. */
export interface MovePayload {
  revision: number;
  moveId: string;
  row?: Json;
  col?: Json;
  action?: Json;
}

/** Exit statuses, the same in all clients; 0 is a match that was played to its end. */
export const Exit = { broken: 1, usage: 2, key: 3, noGame: 4, strange: 5, later: 75 } as const;

/** Ends the client with an exit status and a sentence for its user. */
export class Stop extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

/** Says something to the user, beside the result. */
export function say(text: string): void {
  console.error(text);
}

/** Makes one printable line of what came from outside. */
export function plain(text: unknown): string {
  return [...String(text)].slice(0, 300).join("").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

/** Waits so many milliseconds. */
export function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}

/**
 * How long to wait before try number n, in milliseconds: ever longer, and somewhat random, so that not all clients of a server that comes back
 * come at once.
 */
export function pause(first: number, n: number): number {
  return Math.min(15_000, first * 2 ** Math.min(n, 10)) * (0.5 + Math.random() / 2);
}
