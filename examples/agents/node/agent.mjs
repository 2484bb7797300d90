// An agent that plays over a WebSocket (ludux/1). Run: LUDUX_KEY=... node agent.mjs --url wss://arena.example/agents

import { parseArgs } from "node:util";
import { choose } from "./choose.mjs";
import { Client, quote } from "./client.mjs";

const USAGE = `usage: LUDUX_KEY=... node agent.mjs --url wss://... [--matches N] [--insecure]

  --url URL     the arena; ws is for this machine alone
  --matches N   leave after the end of N matches
  --insecure    let ws go to other machines, and show them the key`;

function usage(message) {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function options() {
  let values;
  try {
    ({ values } = parseArgs({ options: { url: { type: "string" }, matches: { type: "string" }, insecure: { type: "boolean" }, help: { type: "boolean" } } }));
  } catch (err) {
    usage(err.message);
  }
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const key = process.env.LUDUX_KEY ?? "";
  delete process.env.LUDUX_KEY; // what is started from here need not know it
  if (!/^[!-+\--~]{1,512}$/.test(key)) usage("LUDUX_KEY is to hold the agent's key");
  if (!URL.canParse(values.url ?? "")) usage("--url is to be the arena's");
  const url = new URL(values.url);
  const local = ["localhost", "[::1]"].includes(url.hostname) || /^127(\.\d+){3}$/.test(url.hostname);
  if (url.protocol !== "wss:" && !(url.protocol === "ws:" && (local || values.insecure))) usage("--url is to be a wss one: ws shows the key to everybody on the way");
  if (url.username || url.password || url.hash) usage("--url is to have no user and no fragment");
  const matches = values.matches ?? "0";
  if (!/^\d{1,9}$/.test(matches)) usage("--matches is to be a number");
  return { url, key, matches: Number(matches) };
}

const { url, key, matches } = options();
const client = new Client({ url, key, choose });
let ends = 0;

client.on("start", (m) => console.log(`match ${quote(m.match_id)}: ${quote(m.game)}, seat ${Number(m.seat)}`));
client.on("end", (m) => {
  console.log(`match ${quote(m.match_id)}: ${quote(m.outcome)}, ${quote(m.reason)}`);
  if (++ends === matches) leave(0);
});
client.on("warning", (m) => console.error(`match ${quote(m.match_id)}: ${Number(m.deadline_ms)} ms left`));
client.on("complaint", (text) => console.error(text));
client.on("stop", (stop) => {
  console.error(stop.message);
  leave(stop.status);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => leave(0));

/** Ends the process once the goodbye is out. */
function leave(status) {
  process.exitCode = status;
  client.close();
  setTimeout(() => process.exit(), 2000).unref();
}

client.open();
