import * as fs from "node:fs";
import { dirname } from "node:path";
import { platform } from "node:process";
import { Exit, Stop, type Create, type Json, type MovePayload } from "./protocol.js";

const FORMAT = "grid-client/1";

/** What has to outlive the process: requests that may be on their way, the match, the result. Never the key. */
export interface Saved {
  format: string;
  base: string;
  create: Create;
  matchId: string;
  move: MovePayload | null;
  /** Milliseconds since 1970, a Retry-After. */
  notBefore: number;
  over: { status: string; reason: string | null; seat: Json; scores: Json } | null;
}

/** The state file. */
export class State {
  saved: Saved;

  constructor(
    private readonly path: string,
    base: string,
    create: Create,
  ) {
    this.saved = { format: FORMAT, base, create, matchId: "", move: null, notBefore: 0, over: null };
  }

  /** Changes members and returns when they are on the disk: the file is the old one or the new one, never half of either. */
  save(changes: Partial<Saved> = {}): void {
    Object.assign(this.saved, changes);
    const beside = this.path + ".tmp";
    try {
      const file = fs.openSync(beside, "w", 0o600);
      try {
        fs.writeFileSync(file, JSON.stringify(this.saved) + "\n");
        fs.fsyncSync(file);
      } finally {
        fs.closeSync(file);
      }
      fs.renameSync(beside, this.path);
      if (platform === "win32") return; // flushes names by itself
      const folder = fs.openSync(dirname(this.path), "r");
      try {
        fs.fsyncSync(folder);
      } finally {
        fs.closeSync(folder);
      }
    } catch (err) {
      throw new Stop(Exit.usage, String((err as Error).message));
    }
  }

  /** Reads the file, if there is one, which must be of the match that the options ask for. */
  load(): void {
    let text: string;
    try {
      text = fs.readFileSync(this.path, "utf8");
    } catch (err) {
      if ((err as { code?: string }).code === "ENOENT") return this.save();
      throw new Stop(Exit.usage, String((err as Error).message));
    }
    const found = parse(text);
    if (found === undefined) throw new Stop(Exit.usage, `${this.path} is no state file of ${FORMAT}`);
    const mine: Create = { ...this.saved.create, requestId: found.create.requestId };
    if (JSON.stringify(mine) !== JSON.stringify({ ...mine, ...found.create }) || mine.game !== found.create.game || found.base !== this.saved.base) {
      throw new Stop(Exit.usage, `${this.path} is of another match: give it the options that it began with, or another file`);
    }
    this.saved = found;
  }
}

/** Reads a state; undefined where it is none. */
function parse(text: string): Saved | undefined {
  let found: Partial<Saved> | null;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (found === null || typeof found !== "object" || found.format !== FORMAT) return undefined;
  const good =
    typeof found.base === "string" &&
    typeof found.create === "object" &&
    typeof found.create?.requestId === "string" &&
    typeof found.matchId === "string" &&
    typeof found.move === "object" &&
    (found.move === null || typeof found.move.moveId === "string") &&
    typeof found.notBefore === "number" &&
    typeof found.over === "object" &&
    (found.over === null || typeof found.over.status === "string");
  return good ? (found as Saved) : undefined;
}
