// A Connect Four board, read from the text that agentarena/1 sends.

export const X = 1;
export const O = 2;
const EMPTY = 0;
const WALL = 3; // a frame around the board, so that no line runs off it
const LINE = 4; // discs in a line that win

/** The other side. */
export const other = (side) => X + O - side;

/** A board and the discs on it. Columns and rows count from 0, row 0 is the bottom one. */
export class Board {
  constructor(letters, rows) {
    this.letters = letters; // names of the columns
    this.columns = letters.length;
    this.rows = rows;
    this.discs = 0;
    this.height = new Array(this.columns).fill(0);
    this.stride = rows + 2;
    this.grid = new Int8Array((this.columns + 2) * this.stride).fill(WALL);
    for (let column = 0; column < this.columns; column++) {
      this.grid.fill(EMPTY, this.cell(column, 0), this.cell(column, rows));
    }
    // From each cell, the four directions that a line can have.
    this.directions = [1, this.stride - 1, this.stride, this.stride + 1];
  }

  /**
   * Reads rows of ".", "X" and "O", the bottom one last, and under them the letters of the columns, in a fence or without one. Throws an
   * Error that says what is wrong.
   */
  static parse(text) {
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("```"));
    const letters = lines.pop() ?? "";
    if (!/^[a-z]{4,26}$/.test(letters) || new Set(letters).size !== letters.length) {
      throw new Error("the board's last line is not the letters of its columns");
    }
    if (lines.length < 4 || lines.length > 26) {
      throw new Error(`the board has ${lines.length} rows`);
    }
    const board = new Board(letters, lines.length);
    for (const line of lines.reverse()) {
      if (line.length !== letters.length || /[^.XO]/.test(line)) {
        throw new Error(`the board has a row ${JSON.stringify(line)}`);
      }
    }
    for (let column = 0; column < board.columns; column++) {
      const stack = lines.map((line) => line[column]).join("").replace(/\.+$/, "");
      if (stack.includes(".")) {
        throw new Error(`a disc floats in column ${letters[column]}`);
      }
      for (const disc of stack) {
        board.drop(column, disc === "X" ? X : O);
      }
    }
    return board;
  }

  cell(column, row) {
    return (column + 1) * this.stride + row + 1;
  }

  /** Where the next disc of a column comes to lie. */
  landing(column) {
    return this.cell(column, this.height[column]);
  }

  open(column) {
    return this.height[column] < this.rows;
  }

  drop(column, side) {
    this.grid[this.landing(column)] = side;
    this.height[column]++;
    this.discs++;
  }

  /** Takes the top disc of a column away again. */
  lift(column) {
    this.height[column]--;
    this.discs--;
    this.grid[this.landing(column)] = EMPTY;
  }

  /** Whether a disc of side in an open column would make a line. */
  wins(column, side) {
    const { grid } = this;
    const cell = this.landing(column);
    for (const step of this.directions) {
      let length = 1;
      for (let at = cell + step; grid[at] === side; at += step) length++;
      for (let at = cell - step; grid[at] === side; at -= step) length++;
      if (length >= LINE) return true;
    }
    return false;
  }

  /** For each cell of the grid, how many lines run through it: a cheap measure of what it is worth. */
  weights() {
    const weights = new Int16Array(this.grid.length);
    for (let start = 0; start < this.grid.length; start++) {
      for (const step of this.directions) {
        const cells = Array.from({ length: LINE }, (_, i) => start + i * step);
        if (cells.every((cell) => cell < this.grid.length && this.grid[cell] !== WALL)) {
          for (const cell of cells) weights[cell]++;
        }
      }
    }
    return weights;
  }
}
