// Plays one match of the Grid arena by polling. The same command again goes on with the match after a kill, a crash or a restart. Put your
// solver into choose.ts.
//
//   LINESCLASH_BASE=https://arena.example LINESCLASH_KEY=... node dist/client.js --state my-match.json --opponent hell_v2

import { argv, env, exit } from "node:process";
import { parseArgs } from "node:util";
import { Api } from "./api.js";
import { Match } from "./match.js";
import { Exit, plain, say, Stop, type Create } from "./protocol.js";
import { State } from "./state.js";

const HELP = `usage: node client.js --state FILE --opponent NAME [options]
  --state FILE        where the match is kept; a new file begins a new match
  --opponent NAME     casual, smart, hard, experimental, normal_nightmare, hell_v2 or hell_v3
  --seat 0|1          0 begins (default)
  --control NAME      production (default): 30 s for a move; or untimed
  --name NAME         shown beside the result
  --game NAME         another game than the server's first one
  --timeout SECONDS   for one request (default 10)
  --patience SECONDS  longest wait for a server that cannot answer (default 900)`;

interface Options {
  path: string;
  create: Create;
  timeout: number;
  patience: number;
}

/** Reads the options. */
function options(args: string[]): Options {
  const text = (name?: string) => (name === undefined ? { type: "string" as const } : { type: "string" as const, default: name });
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({
      args,
      strict: true,
      allowPositionals: false,
      options: {
        state: text(),
        opponent: text(),
        seat: text("0"),
        control: text("production"),
        name: text("My solver"),
        game: text(""),
        timeout: text("10"),
        patience: text("900"),
        help: { type: "boolean" },
      },
    }));
  } catch (err) {
    throw new Stop(Exit.usage, (err as Error).message);
  }
  if (values["help"] === true) {
    console.log(HELP);
    exit(0);
  }
  const get = (name: string) => String(values[name] ?? "");
  const seat = get("seat");
  const control = get("control");
  const timeout = Number(get("timeout") || "x");
  const patience = Number(get("patience") || "x");
  if (get("state") === "" || get("opponent") === "") throw new Stop(Exit.usage, HELP);
  if (seat !== "0" && seat !== "1") throw new Stop(Exit.usage, "--seat is 0 or 1");
  if (control !== "production" && control !== "untimed") throw new Stop(Exit.usage, "--control is production or untimed");
  if (!(timeout > 0 && timeout <= 3600 && patience >= 0 && patience <= 86400)) {
    throw new Stop(Exit.usage, "--timeout is over 0 and up to 3600, --patience from 0 to 86400");
  }
  const game = get("game");
  const create: Create = {
    opponent: get("opponent"),
    name: get("name"),
    agentSeat: Number(seat),
    control,
    ...(game === "" ? {} : { game }),
    requestId: crypto.randomUUID(),
  };
  return { path: get("state"), create, timeout: timeout * 1000, patience: patience * 1000 };
}

/** Gives base and key, which come from nowhere else: arguments can be seen by other users of the machine. */
function environment(): { base: string; key: string } {
  const base = (env["LINESCLASH_BASE"] ?? "").replace(/\/+$/, "");
  const key = env["LINESCLASH_KEY"] ?? "";
  let url: URL | undefined;
  try {
    url = new URL(base);
  } catch {
    url = undefined;
  }
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.hostname === "" || url.username + url.password + url.search + url.hash !== "") {
    throw new Stop(Exit.usage, "LINESCLASH_BASE has to be the server's address, as https://arena.example");
  }
  if (url.protocol === "http:" && !["127.0.0.1", "[::1]", "localhost"].includes(url.hostname)) {
    throw new Stop(Exit.usage, "LINESCLASH_BASE has to be https: the key would travel in clear");
  }
  if (!/^[!-~]{1,512}$/.test(key)) throw new Stop(Exit.usage, "LINESCLASH_KEY has to be your key");
  return { base, key };
}

/** Prints how the match ended, and gives the exit status. */
function report(state: State): number {
  const { over, base, matchId, create } = state.saved;
  if (over === null) throw new Error("the match is not over");
  const { status, reason, seat, scores } = over;
  console.log(`match ${matchId} against ${plain(create.opponent)}, seat ${plain(seat)}`);
  if (status !== "completed") {
    console.log(`${plain(status)}: ${plain(reason ?? "no reason given")}`);
    return Exit.noGame;
  }
  let result = plain(JSON.stringify(scores));
  if (Array.isArray(scores) && scores.length === 2 && (seat === 0 || seat === 1)) {
    const mine = Number(scores[seat]);
    const theirs = Number(scores[1 - seat]);
    result = `${mine > theirs ? "won" : mine < theirs ? "lost" : "draw"} ${mine}-${theirs}`;
  }
  console.log(`completed: ${result}`);
  console.log(`replay: ${base}/api/benchmarks/replays/${matchId}`);
  return 0;
}

async function main(): Promise<number> {
  try {
    const o = options(argv.slice(2));
    const { base, key } = environment();
    const state = new State(o.path, base, o.create);
    state.load();
    if (state.saved.over === null) await new Match(new Api(state, key, o.timeout, o.patience), state).play();
    return report(state);
  } catch (err) {
    if (!(err instanceof Stop)) throw err;
    say(err.message);
    return err.status;
  }
}

exit(await main());
