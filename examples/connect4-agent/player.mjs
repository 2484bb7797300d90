// Chooses a column: a win at once, else a block, else what looks best some plies ahead.

import { other } from "./board.mjs";

const WON = 1_000_000; // a win now; each ply that it takes makes it one less
const SPENT = Symbol("no nodes or no time left");

/**
 * Chooses one of columns (not empty, all open) for side. It looks at no more than nodes positions and stops soon after the time until, in
 * milliseconds of performance.now(). Gives the column and a sentence that says why. The board may not be used afterwards.
 */
export function choose(board, side, columns, { nodes = 20_000, until = Infinity } = {}) {
  const name = (column) => board.letters[column];
  for (const column of columns) {
    if (board.wins(column, side)) return { column, why: `Column ${name(column)} makes four.` };
  }
  for (const column of columns) {
    if (board.wins(column, other(side))) return { column, why: `Column ${name(column)} must be blocked.` };
  }
  const { column, depth } = deepen(board, side, columns, nodes, until);
  return { column, why: `Column ${name(column)} looks best ${depth} plies ahead.` };
}

/** Searches one ply deeper each time, and keeps the best column of the last search that came to its end. */
function deepen(board, side, columns, nodes, until) {
  const weights = board.weights();
  const middle = (board.columns - 1) / 2;
  const fromMiddle = (a, b) => Math.abs(a - middle) - Math.abs(b - middle);
  const order = Array.from({ length: board.columns }, (_, column) => column).sort(fromMiddle);

  // The value of the position for side, who is to move: alpha-beta, negamax form. ahead is what side's cells weigh more than the other's.
  function value(side, depth, alpha, beta, ahead) {
    if (--nodes < 0 || ((nodes & 255) === 0 && performance.now() > until)) throw SPENT;
    const open = order.filter((column) => board.open(column));
    if (open.length === 0) return 0; // a draw
    if (open.some((column) => board.wins(column, side))) return WON - board.discs;
    if (depth === 0) return ahead;
    for (const column of open) {
      alpha = Math.max(alpha, after(column, side, depth, alpha, beta, ahead));
      if (alpha >= beta) break;
    }
    return alpha;
  }

  function after(column, side, depth, alpha, beta, ahead) {
    const gained = weights[board.landing(column)];
    board.drop(column, side);
    const v = -value(other(side), depth - 1, -beta, -alpha, -(ahead + gained));
    board.lift(column);
    return v;
  }

  let ranked = [...columns].sort(fromMiddle);
  let depth = 0;
  try {
    while (depth < board.columns * board.rows - board.discs) {
      let best = -Infinity;
      let column = ranked[0];
      for (const candidate of ranked) {
        const v = after(candidate, side, depth + 1, best, Infinity, 0);
        if (v > best) [best, column] = [v, candidate];
      }
      ranked = [column, ...ranked.filter((c) => c !== column)];
      depth++;
      if (Math.abs(best) > WON / 2) break; // looking deeper changes nothing
    }
  } catch (spent) {
    if (spent !== SPENT) throw spent;
  }
  return { column: ranked[0], depth };
}
