// The types of docs/record-format.md: each function takes a node, and gives its value or throws Malformed.
import { Malformed, MAX_VALUES, count, sorted } from './json.mjs';
import { fromBase64url } from './bytes.mjs';

export const MAX_ITEMS = 64;
export const MAX_TIME = 2n ** 60n;
const INT = /^(?:0|-?[1-9][0-9]{0,18})$/;

function expect(condition, what) {
  if (!condition) throw new Malformed(what);
}

function string(node) {
  expect(node.kind === 'string', 'not a text');
  return node.text;
}

/** An integer of at most 64 bits, as a BigInt. */
export const int = (low, high) => (node) => {
  expect(node.kind === 'number' && INT.test(node.text), 'not an integer in its one form');
  node.exact = true;
  const n = BigInt(node.text);
  expect(n >= low && n <= high, 'an integer is out of range');
  return n;
};

/** A finite double. */
export function number(node) {
  expect(node.kind === 'number', 'not a number');
  return Number(node.text);
}

const length = (text) => { let n = 0; for (const _ of text) n++; return n; };
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Text that is not empty. */
export function text(node) {
  expect(string(node) !== '', 'an empty text is left out');
  return node.text;
}

/** One line of text of at most so many code points, not empty. */
export const line = (most) => (node) => {
  const s = text(node);
  expect(!BREAKS.test(s), 'not one line of text');
  expect(s.length <= most || length(s) <= most, 'a text is too long');
  return s;
};

/** Text that a pattern describes. */
export const pattern = (p, what) => (node) => {
  expect(p.test(string(node)), what);
  return node.text;
};

/** Text of at most so many bytes, not empty. */
export const short = (most) => (node) => {
  expect(new TextEncoder().encode(text(node)).length <= most, 'a text is too long');
  return node.text;
};

/** One of the codes of a list. */
export const oneOf = (codes) => (node) => {
  expect(codes.includes(string(node)), 'an unknown code');
  return node.text;
};

/** The literal true. */
export function yes(node) {
  expect(node.kind === 'true', 'only true is written');
  return true;
}

/** 32 bytes of base64url; others of another length. */
export const base64url = (bytes) => (node) => {
  const b = fromBase64url(string(node), bytes);
  expect(b, `not base64url of ${bytes} bytes`);
  return b;
};
export const hash = base64url(32);

/** Any value in the form of RFC 8785. Strings and numbers are compared with the whole line. */
export function json(node) {
  expect(sorted(node), 'members are not sorted');
  expect(count(node) <= MAX_VALUES, 'too many values');
  return node;
}

/** A list of at most 64 items. */
export const list = (item) => (node) => {
  expect(node.kind === 'array', 'not a list');
  expect(node.items.length <= MAX_ITEMS, 'a list of more than 64');
  return node.items.map(item);
};

const seatNumber = int(0n, 63n);

/** A seat: its number, "chance" or "host". */
export function seat(node) {
  if (node.kind === 'string' && (node.text === 'chance' || node.text === 'host')) return node.text;
  return Number(seatNumber(node));
}

/** A set of seats, not empty, ascending. */
export function seats(node) {
  const set = list((item) => Number(seatNumber(item)))(node);
  expect(set.length > 0 && set.every((s, i) => i === 0 || set[i - 1] < s), 'not seats in ascending order');
  return set;
}

/** An object whose members, some of them optional, stand in the order of fields: [name, type, optional]. */
export const object = (fields) => (node) => {
  expect(node.kind === 'object', 'not an object');
  const out = {};
  let next = 0;
  for (const [name, type, optional] of fields) {
    const found = node.members[next];
    if (found?.[0] !== name) {
      if (!optional) throw new Malformed(`no ${name} in its place`);
      continue;
    }
    try {
      out[name] = type(found[1]);
    } catch (e) {
      throw e instanceof Malformed ? new Malformed(`${name}: ${e.message}`) : e;
    }
    next++;
  }
  expect(next === node.members.length, `${node.members[next]?.[0]}: unknown, or not in its place`);
  return out;
};
