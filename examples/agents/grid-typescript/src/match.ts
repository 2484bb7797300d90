import { complaint, type Answer, type Api } from "./api.js";
import { choose } from "./choose.js";
import { Exit, pause, plain, say, sleep, Stop, type Move, type MovePayload, type Observation } from "./protocol.js";
import type { State } from "./state.js";

const PACE = 2000; // milliseconds from the end of one poll to the next while the opponent thinks
const HOLD = 20; // seconds that the server is asked to hold a poll
const REFUSALS = 5; // conflicts in a row before it gives up

/** The match of a state. */
export class Match {
  private held = false; // the server holds polls, so that they need no pause
  private polled: number | undefined; // when the last poll that was told "ai" ended

  constructor(
    private readonly api: Api,
    private readonly state: State,
  ) {}

  /** Plays to the end, wherever the match stands, and keeps how it ended. */
  async play(): Promise<void> {
    let seen = await this.begin();
    let refused = 0;
    while (seen.status === "agent" || seen.status === "ai") {
      if (seen.status === "ai") {
        seen = await this.poll();
        continue;
      }
      await this.decide(seen);
      const after = await this.submit();
      refused = after === undefined ? refused + 1 : 0;
      if (refused > REFUSALS) throw new Stop(Exit.strange, "the server takes no move of ours");
      if (refused > 1) await sleep(pause(125, refused));
      seen = after ?? (await this.reload());
    }
    this.state.save({ over: { status: seen.status, reason: seen.reason ?? null, seat: seen.seat ?? null, scores: seen.scores ?? null } });
  }

  /** Gives an observation to start from: creates the match, sends a move that may not have arrived, or looks. */
  private async begin(): Promise<Observation> {
    const { matchId, move, create } = this.state.saved;
    if (matchId === "") {
      const seen = observation(await this.api.call("", create));
      if (!/^[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0,127}$/.test(String(seen.matchId))) throw new Stop(Exit.strange, "the server gave no match id");
      this.state.save({ matchId: seen.matchId });
      say(`match ${seen.matchId} has begun`);
      return seen;
    }
    say(`going on with match ${matchId}`);
    return (move === null ? undefined : await this.submit()) ?? (await this.reload());
  }

  private path(): string {
    return "/" + encodeURIComponent(this.state.saved.matchId);
  }

  private async reload(wait = 0): Promise<Observation> {
    const answer = await this.api.call(this.path(), undefined, wait);
    this.held = wait > 0 && (answer.headers.get("preference-applied") ?? "").includes("wait");
    return observation(answer);
  }

  /** Looks whether the opponent has moved, no faster than allowed. */
  private async poll(): Promise<Observation> {
    const now = performance.now();
    if (!this.held) this.polled ??= now; // the answer to our move said so
    if (this.polled !== undefined) await sleep(this.polled + PACE - now);
    const seen = await this.reload(HOLD);
    this.polled = seen.status === "ai" ? performance.now() : undefined;
    return seen;
  }

  /** Asks choose() for a move, and saves it before anybody hears of it. */
  private async decide(seen: Observation): Promise<void> {
    let move: Move;
    try {
      move = await choose(seen);
    } catch (err) {
      throw new Stop(Exit.broken, `choose() failed: ${plain(err)}`);
    }
    const text = JSON.stringify(move);
    if (!seen.legalMoves.some((legal) => JSON.stringify(legal) === text)) {
      throw new Stop(Exit.broken, `choose() gave ${plain(text)}, which is not legal`);
    }
    const payload: MovePayload = { revision: seen.revision, moveId: crypto.randomUUID() };
    if (move !== null && typeof move === "object" && !Array.isArray(move) && Object.keys(move).sort().join() === "col,row") {
      this.state.save({ move: { ...payload, row: move["row"]!, col: move["col"]! } });
    } else {
      this.state.save({ move: { ...payload, action: move } });
    }
  }

  /** Sends the saved move, the same bytes however often. undefined where the position is not the one that it was for. */
  private async submit(): Promise<Observation | undefined> {
    const answer = await this.api.call(this.path() + "/moves", this.state.saved.move!);
    if (answer.status === 409) {
      say(`the move was not taken: ${complaint(answer.text)}`);
      this.state.save({ move: null });
      return undefined;
    }
    if (answer.status === 422) {
      this.state.save({ move: null });
      throw new Stop(Exit.broken, `the server refused the move: ${complaint(answer.text)}`);
    }
    const seen = observation(answer);
    this.state.save({ move: null });
    return seen;
  }
}

/** Reads an answer that is to be an observation. */
function observation(answer: Answer): Observation {
  const { status, text } = answer;
  if (status === 401 || status === 403) throw new Stop(Exit.key, `the server refused the key: ${status} ${complaint(text)}`);
  if (status !== 200 && status !== 201) throw new Stop(Exit.strange, `the server says ${status} ${complaint(text)}`);
  const seen = answer.json as unknown as Partial<Observation> | null;
  let good = seen !== null && typeof seen === "object" && ["agent", "ai", "completed", "expired", "failed"].includes(String(seen.status));
  if (good && seen!.status === "agent") {
    good = Number.isInteger(seen!.revision) && Array.isArray(seen!.legalMoves) && seen!.legalMoves.length > 0;
  }
  if (!good) throw new Stop(Exit.strange, "the server's answer is no observation");
  return seen as Observation;
}
