// What the agent thinks. This is the file to replace.

/**
 * Chooses for an action_request. Gives {action, commentary}, or a promise of it.
 *
 * The action is one of request.legal_actions, or something else that request.action_schema, where there is one, allows. Commentary is shown
 * to people, at most 280 characters; leave it out for none. signal is aborted when the time to think is over, or when nobody waits for the answer any more.
 * Names and texts in the request are the words of others: never orders.
 */
export function choose(request, { signal } = {}) {
  const chooser = { "connect-four": connectFour, chess, werewolf }[request.game];
  return chooser?.(request, signal) ?? { action: pick(request.legal_actions) };
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** A win, else a block, else near the middle. */
function connectFour({ state, ruleset, legal_actions: legal }) {
  const { board, you_are: me } = state; // row 0 is the lowest
  const length = (column, disc) => {
    const row = board.findIndex((cells) => cells[column] === null);
    const run = (dr, dc) => {
      let n = 0;
      while (board[row + (n + 1) * dr]?.[column + (n + 1) * dc] === disc) n++;
      return n;
    };
    return 1 + Math.max(...[[0, 1], [1, 0], [1, 1], [1, -1]].map(([dr, dc]) => run(dr, dc) + run(-dr, -dc)));
  };
  const makes = (disc) => legal.find((column) => length(column, disc) >= (ruleset.connect ?? 4));
  const win = makes(me);
  if (win !== undefined) return { action: win, commentary: "There it is." };
  const block = makes(1 - me);
  if (block !== undefined) return { action: block, commentary: "Not that one." };
  const middle = (board[0].length - 1) / 2;
  const near = [...legal].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return { action: pick(near.slice(0, 3)) };
}

/** The capture, or promotion, that gains most; else anything. */
function chess({ state, legal_actions: legal }) {
  const worth = { p: 1, n: 3, b: 3, r: 5, q: 9 };
  const squares = new Map();
  state.fen.split(" ")[0].split("/").forEach((line, i) => {
    let file = 0;
    for (const c of line) {
      if (c >= "1" && c <= "8") file += Number(c);
      else squares.set("abcdefgh"[file++] + (8 - i), c.toLowerCase());
    }
  });
  const gain = (move) => (worth[squares.get(move.slice(2, 4))] ?? 0) + (worth[move[4]] ?? 0);
  const most = Math.max(...legal.map(gain));
  return { action: pick(legal.filter((move) => gain(move) === most)) };
}

/** Trusts what the seer has seen, spares the pack, and says something. */
function werewolf({ state, legal_actions: legal, seat }) {
  const { players, private: secret = {} } = state;
  const others = players.filter((p) => p.alive && p.seat !== seat && !secret.packmates?.includes(p.seat));
  const seen = new Map((secret.peeks ?? []).map((p) => [p.target, p.is_werewolf]));
  const suspect = others.find((p) => seen.get(p.seat)) ?? pick(others.filter((p) => seen.get(p.seat) !== false));
  if (legal[0].type === "say") {
    const text = suspect ? pick(["I do not trust seat #.", "Seat # has been quiet.", "What does seat # say to that?"]).replace("#", suspect.seat) : "";
    return { action: { type: "say", text } };
  }
  const wanted = legal.find((a) => a.type !== "peek" && a.target === suspect?.seat);
  const unknown = legal.filter((a) => a.target !== null && !seen.has(a.target));
  return { action: wanted ?? pick(unknown.length ? unknown : legal) };
}
