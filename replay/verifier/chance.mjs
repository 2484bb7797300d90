// Chance: every draw of a match follows from its secret.
import { concat } from './bytes.mjs';
import { sha256 } from './merkle.mjs';

const [MASK64, MASK128] = [2n ** 64n - 1n, 2n ** 128n - 1n];
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;
const INCREMENT = 0x5851f42d4c957f2d14057b7ef767814fn;
const CHEAP = 0xda942042e4dd58b5n;

/** The stream of chance's move number n, from 0: a function that gives the next 64 bits (PCG-DXSM) as a BigInt. */
export async function stream(secret, n) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(n));
  const d = await sha256(concat(secret, number, new TextEncoder().encode('chance')));
  const view = new DataView(d.buffer);
  let state = view.getBigUint64(0) << 64n | view.getBigUint64(8);
  return () => {
    state = (state * MULTIPLIER + INCREMENT) & MASK128;
    let [high, low] = [state >> 64n, state & MASK64];
    high = (high ^ high >> 32n) * CHEAP & MASK64;
    return (high ^ high >> 48n) * (low | 1n) & MASK64;
  };
}

/** Draws one of some moves that are equally likely. */
export async function draw(secret, n, moves) {
  const next = await stream(secret, n);
  return moves[Number(next() * BigInt(moves.length) >> 64n)];
}
