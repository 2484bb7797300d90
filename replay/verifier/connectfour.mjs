// The rules of Connect Four, version 1.0.0: what a record of it must agree with.

/** The game for a ruleset as a node of json.mjs. Throws an Error where it is none. */
export function connectFour({ ruleset }) {
  const options = new Map(ruleset?.kind === 'object' ? ruleset.members.map(([name, v]) => [name, v.kind === 'number' ? Number(v.text) : NaN]) : []);
  const option = (name, low, high) => {
    const n = options.get(name);
    if (!Number.isInteger(n) || n < low || n > high) throw new Error(`ruleset: ${name} is not ${low} to ${high}`);
    options.delete(name);
    return n;
  };
  const columns = option('columns', 4, 16);
  const rows = option('rows', 4, 16);
  const connect = option('connect', 3, Math.max(columns, rows));
  if (options.size > 0) throw new Error('ruleset: something unknown');
  if (columns * (rows + 1) > 128) throw new Error('ruleset: too many cells');
  return new ConnectFour(columns, rows, connect);
}

class ConnectFour {
  seats = 2;
  least = -1;
  greatest = 1;
  zeroSum = true;
  #stacks; // of each column, whose discs they are, from below
  #ply = 0;
  #end = '';

  constructor(columns, rows, connect) {
    this.rows = rows;
    this.connect = connect;
    this.#stacks = Array.from({ length: columns }, () => []);
  }

  /** The seats that have to move; none when the game is over. */
  turn() {
    return this.#end === '' ? [this.#ply % 2] : [];
  }

  /** Plays an action, a node of json.mjs, for the seat that has to move. Throws an Error where the rules refuse it. */
  play(seat, action) {
    const column = action.kind === 'number' ? Number(action.text) : NaN;
    const stack = this.#stacks[column];
    if (!stack) throw new Error(`there is no such column: they are 0 to ${this.#stacks.length - 1}`);
    if (stack.length === this.rows) throw new Error(`column ${column} is full`);
    stack.push(seat);
    this.#ply++;
    if (this.#wins(seat, column, stack.length - 1)) this.#end = 'connect';
    else if (this.#stacks.every((s) => s.length === this.rows)) this.#end = 'full';
  }

  #wins(seat, column, row) {
    const run = (dc, dr) => {
      let n = 0;
      while (this.#stacks[column + (n + 1) * dc]?.[row + (n + 1) * dr] === seat) n++;
      return n;
    };
    return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dc, dr]) => 1 + run(dc, dr) + run(-dc, -dr) >= this.connect);
  }

  /** The move that is played for a seat that makes none, as JSON. */
  fallback() {
    return String(this.#stacks.findIndex((s) => s.length < this.rows));
  }

  /** How the game ended. */
  outcome() {
    if (this.#end === 'full') return { reason: 'full', ret: [0, 0] };
    const winner = (this.#ply - 1) % 2;
    return { reason: 'connect', ret: [0, 1].map((s) => (s === winner ? 1 : -1)) };
  }
}
