// A strict reader of JSON (RFC 8259) that keeps what a second writing needs: the order of members, and how each number was written.

/** Bounds on the values inside one member, as docs/record-format.md has them. */
export const MAX_DEPTH = 32;
export const MAX_VALUES = 65536;

/** What is wrong with a text that is read. */
export class Malformed extends Error {}

/**
 * Reads a text that is one JSON value without white space. Nodes are
 * {kind, text} for strings and numbers (the number as it was written), {kind, items} for arrays, {kind, members: [name, node][]} for
 * objects, and {kind} for true, false and null. A name may stand twice: see sorted. Throws Malformed.
 */
export function parse(text, depth = MAX_DEPTH + 1) {
  const reader = new Reader(text);
  const node = reader.value(depth);
  if (reader.at !== text.length) reader.fail('something after the value');
  return node;
}

const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX = /^[0-9a-fA-F]{4}$/;

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    throw new Malformed(`${what} at character ${this.at}`);
  }

  take(literal) {
    if (!this.text.startsWith(literal, this.at)) return false;
    this.at += literal.length;
    return true;
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return '';
    this.at += found[0].length;
    return found[0];
  }

  value(depth) {
    switch (this.text[this.at]) {
      case '{': return this.object(depth);
      case '[': return this.array(depth);
      case '"': return { kind: 'string', text: this.string() };
      default: break;
    }
    for (const word of ['true', 'false', 'null']) {
      if (this.take(word)) return { kind: word };
    }
    const text = this.match(NUMBER);
    if (text === '') this.fail('no value');
    return { kind: 'number', text };
  }

  enter(depth) {
    if (depth === 0) this.fail('nested too deep');
    this.at++;
  }

  object(depth) {
    this.enter(depth);
    const members = [];
    if (this.take('}')) return { kind: 'object', members };
    do {
      if (this.text[this.at] !== '"') this.fail('no name');
      const name = this.string();
      if (!this.take(':')) this.fail('no colon');
      members.push([name, this.value(depth - 1)]);
    } while (this.take(','));
    if (!this.take('}')) this.fail('an object does not end');
    return { kind: 'object', members };
  }

  array(depth) {
    this.enter(depth);
    const items = [];
    if (this.take(']')) return { kind: 'array', items };
    do items.push(this.value(depth - 1)); while (this.take(','));
    if (!this.take(']')) this.fail('an array does not end');
    return { kind: 'array', items };
  }

  string() {
    this.at++;
    let out = '';
    for (;;) {
      out += this.match(PLAIN);
      if (this.take('"')) return out;
      if (!this.take('\\')) this.fail('a string does not end');
      const c = this.text[this.at++];
      if (c === 'u') {
        const hex = this.text.slice(this.at, this.at + 4);
        if (!HEX.test(hex)) this.fail('a bad escape');
        out += String.fromCharCode(parseInt(hex, 16));
        this.at += 4;
      } else if (Object.hasOwn(ESCAPES, c ?? '')) {
        out += ESCAPES[c];
      } else {
        this.fail('a bad escape');
      }
    }
  }
}

/** Writes a text as RFC 8785, section 3.2.2.2, has it, or throws Malformed where it is no Unicode. */
export function quote(text) {
  if (/\p{Surrogate}/u.test(text)) throw new Malformed('a lone surrogate');
  return JSON.stringify(text);
}

/**
 * Writes a node again with its members in the order in which they were read: the same characters as were read only if every string and
 * number is in the form of RFC 8785. Nodes that are marked exact are integers, and stay as they are.
 */
export function write(node) {
  switch (node.kind) {
    case 'string': return quote(node.text);
    case 'number': return node.exact ? node.text : numeral(node.text);
    case 'array': return `[${node.items.map(write).join(',')}]`;
    case 'object': return `{${node.members.map(([name, value]) => `${quote(name)}:${write(value)}`).join(',')}}`;
    default: return node.kind;
  }
}

function numeral(text) {
  const x = Number(text);
  if (!Number.isFinite(x)) throw new Malformed('a number is too large');
  return String(x);
}

/** Reports whether the members of all objects in a node are sorted by UTF-16 code units (RFC 8785, section 3.2.3), each name once. */
export function sorted(node) {
  if (node.kind === 'array') return node.items.every(sorted);
  if (node.kind !== 'object') return true;
  return node.members.every(([name, value], i, all) => (i === 0 || all[i - 1][0] < name) && sorted(value));
}

/** Counts the values of a node, itself among them. */
export function count(node) {
  if (node.kind === 'array') return node.items.reduce((n, item) => n + count(item), 1);
  if (node.kind === 'object') return node.members.reduce((n, [, value]) => n + count(value), 1);
  return 1;
}

/** Finds a member of an object; undefined where there is none. */
export function member(node, name) {
  return node.members.find(([n]) => n === name)?.[1];
}
