// How each kind of line is written: the tables of docs/record-format.md.
import { Malformed, parse, write } from './json.mjs';
import * as t from './types.mjs';

/** The version of the format that is read here. */
export const FORMAT = 1n;
export const MAX_LINE = 1048576;
export const MAX_LINES = 16777216;

export const FAULTS = ['late', 'malformed', 'bad_nonce', 'illegal', 'oversized', 'unreachable', 'disconnected', 'bad_protocol', 'stale', 'internal'];
/** The faults that a policy decides about. */
export const PLANNED = FAULTS.slice(0, 8);
export const CONSEQUENCES = ['forfeit', 'strike', 'reject', 'default', 'eliminate', 'void'];
export const CLAIMS = ['resign', 'offer_draw', 'accept_draw', 'decline_draw', 'abandon'];
export const RULINGS = ['void', 'draw', 'win', 'returns'];
export const CAUSES = ['play', 'forfeit', 'adjudication', 'abandonment', 'expiry', 'void'];

const OPTIONAL = true;
const millis = t.int(1n, 9223372036854n);
const positive = t.int(1n, t.MAX_TIME);
const natural = t.int(1n, 2n ** 63n - 1n);
const integer = t.int(-(2n ** 63n), 2n ** 63n - 1n);
const [k, prev] = [['k', t.text], ['prev', t.hash]];
const time = ['t', positive, OPTIONAL];
const seat = ['s', t.seat];
const ask = ['ask', t.int(1n, 2147483646n), OPTIONAL];
const used = ['used', t.int(1n, 2n ** 53n), OPTIONAL];
const note = ['note', t.line(4096), OPTIONAL];
const meta = ['meta', metaObject, OPTIONAL];
const detail = ['detail', t.line(200), OPTIONAL];
const replacement = t.oneOf(CONSEQUENCES.filter((c) => c !== 'forfeit'));

function metaObject(node) {
  if (node.kind !== 'object' || new TextEncoder().encode(write(node)).length > 1024) throw new Malformed('not an object of at most 1024 bytes');
  return t.json(node);
}

/** Members in the order of the code points of their names, which is that of their UTF-8 bytes. */
function labels(node) {
  if (node.kind !== 'object' || node.members.length === 0 || node.members.length > 16) throw new Malformed('not an object of 1 to 16 texts');
  const [name, value] = [t.line(64), t.line(256)];
  const below = (a, b) => {
    const [x, y] = [[...a], [...b]];
    const i = x.findIndex((c, at) => c !== y[at]);
    return i < 0 ? x.length < y.length : i < y.length && x[i].codePointAt(0) < y[i].codePointAt(0);
  };
  return node.members.map(([n, v], i, all) => {
    if (i > 0 && !below(all[i - 1][0], n)) throw new Malformed('labels are not in their order');
    if (n !== '') name({ kind: 'string', text: n });
    if (v.kind !== 'string' || v.text !== '') value(v);
    return [n, v.text];
  });
}

const agent = t.object([
  ['slug', t.pattern(/^[a-z0-9_.-]{1,64}$/, 'not 1 to 64 of a-z 0-9 _ . -'), OPTIONAL],
  ['name', t.line(64), OPTIONAL], ['version', t.line(64), OPTIONAL], ['owner', t.line(64), OPTIONAL],
  ['framework', t.line(64), OPTIONAL], ['model', t.line(128), OPTIONAL], ['house', t.yes, OPTIONAL],
  ['rating', rating, OPTIONAL], ['labels', labels, OPTIONAL],
]);

function rating(node) {
  const r = t.number(node);
  if (r === 0 || Math.abs(r) > 1e9) throw new Malformed('not a rating');
  return r;
}

const policy = t.object([
  ['name', t.short(64), OPTIONAL],
  ...PLANNED.map((f) => [f, replacement, OPTIONAL]),
  ['strikes', natural, OPTIONAL], ['out', t.oneOf(['eliminate']), OPTIONAL],
  ['pause', millis, OPTIONAL], ['pause_max', millis, OPTIONAL], ['reask', t.yes, OPTIONAL], ['notes', t.int(1n, 1000n), OPTIONAL],
]);

const clock = t.object([
  ...['move', 'base', 'increment', 'grace', 'expiry'].map((c) => [c, millis, OPTIONAL]),
  ['starts', t.oneOf(['sent']), OPTIONAL],
  ...['warn', 'warn_from', 'back'].map((c) => [c, millis, OPTIONAL]),
]);

const seatInfo = t.object([['agent', agent], ['transport', t.short(64), OPTIONAL], ['policy', policy], ['clock', clock]]);

const got = (node) => {
  const [[name, value] = []] = node.kind === 'object' ? node.members : [];
  return t.object([[['ask', 'turn', 'nth'].find((n) => n === name) ?? 'ask', t.int(-(2n ** 31n), 2n ** 31n - 1n)]])(node) && [name, value.text];
};

const faultCounts = t.object(FAULTS.map((f) => [f, t.int(1n, 2n ** 53n), OPTIONAL]));

/** The members of each kind of line. */
export const KINDS = {
  start: [
    k, ['v', version], ['at', positive, OPTIONAL], ['id', t.pattern(/^(?!\.)[A-Za-z0-9_.:-]{1,128}$/, 'not a name of a match')],
    ['game', t.text], ['version', t.text], ['ruleset', t.json, OPTIONAL], ['position', t.text, OPTIONAL], ['names', t.list(anyText), OPTIONAL],
    ['seats', t.list(seatInfo)], ['max', natural, OPTIONAL], ['commit', t.hash], ['lib', t.line(64), OPTIONAL], prev,
  ],
  sent: [k, time, seat, ask, prev],
  move: [
    k, time, seat, ask, ['a', t.json], used, ['ref', t.yes, OPTIONAL], note, meta, ['key', t.line(128), OPTIONAL],
    ['raw', (node) => (t.base64url(12)(node), node.text), OPTIONAL], prev,
  ],
  fault: [
    k, time, seat, ask, ['fault', t.oneOf(FAULTS)], ['do', t.oneOf(CONSEQUENCES)], ['a', t.json, OPTIONAL], used, note, meta, detail,
    ['got', got, OPTIONAL], prev,
  ],
  gone: [k, time, seat, detail, prev],
  back: [k, time, seat, prev],
  claim: [k, time, seat, ['claim', t.oneOf(CLAIMS)], prev],
  rule: [
    k, time, ['what', t.oneOf(RULINGS)], ['by', t.line(64)], ['reason', t.line(64)], ['win', t.seats, OPTIONAL],
    ['ret', t.list(t.number), OPTIONAL], prev,
  ],
  say: [k, time, seat, ['to', t.seats, OPTIONAL], ['text', t.line(4096)], prev],
  resume: [k, time, ['at', positive, OPTIONAL], prev],
  end: [
    k, time, ['cause', t.oneOf(CAUSES)], ['reason', t.text, OPTIONAL], ['ret', t.list(t.number), OPTIONAL], ['scores', t.list(integer), OPTIONAL],
    ['places', t.list(integer), OPTIONAL], ['strikes', t.list(integer), OPTIONAL], ['faults', t.list(faultCounts), OPTIONAL],
    ['secret', t.hash], ['salt', t.hash], prev,
  ],
  seal: [k, ['count', t.int(1n, 10n ** 18n - 1n)], ['head', t.hash], ['root', t.hash], ['attestation', t.json, OPTIONAL]],
};

const READERS = new Map(Object.entries(KINDS).map(([kind, fields]) => [kind, t.object(fields)]));

function version(node) {
  if (node.kind !== 'number' || node.text !== String(FORMAT)) throw new Malformed('a format that is not known here');
  return FORMAT;
}

function anyText(node) {
  if (node.kind !== 'string') throw new Malformed('not a text');
  return node.text;
}

const SEAL = new TextEncoder().encode('{"k":"seal"');

/** Reports whether a line, as bytes, is a seal by how it begins. */
export const isSeal = (bytes) => SEAL.every((b, i) => bytes[i] === b);

/** Reads a line, as bytes; whatever is accepted is written as the format says, to the byte. Throws Malformed. */
export function readLine(bytes) {
  let line;
  try {
    line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Malformed('not UTF-8');
  }
  const node = parse(line);
  const kind = node.kind === 'object' && node.members[0]?.[0] === 'k' ? node.members[0][1].text : undefined;
  const read = READERS.get(kind);
  if (!read) throw new Malformed('no kind of line');
  const out = read(node);
  if (write(node) !== line) throw new Malformed('not in its one form');
  return out;
}
