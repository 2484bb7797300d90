// Hashes of RFC 6962, section 2.1.
import { concat } from './bytes.mjs';
import { subtle } from './subtle.mjs';

export async function sha256(bytes) {
  return new Uint8Array(await subtle.digest('SHA-256', bytes));
}

/** The leaf hash of a line without its newline. */
export const leafHash = (line) => sha256(concat([0], line));

const nodeHash = (left, right) => sha256(concat([1], left, right));

/** Tree takes leaf hashes one by one, and holds the roots of the complete subtrees alone. */
export class Tree {
  count = 0;
  #roots = []; // of subtrees, the largest first

  async add(leaf) {
    let h = leaf;
    for (let n = this.count; n % 2 === 1; n = (n - 1) / 2) h = await nodeHash(this.#roots.pop(), h);
    this.#roots.push(h);
    this.count++;
  }

  /** The root over the leaves so far. */
  async root() {
    if (this.count === 0) return sha256(new Uint8Array());
    let h = this.#roots.at(-1);
    for (let i = this.#roots.length - 2; i >= 0; i--) h = await nodeHash(this.#roots[i], h);
    return h;
  }
}
