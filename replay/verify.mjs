// A verifier of match records that shares nothing with the Go one but docs/record-format.md. It needs Web Crypto with SHA-256 and
// Ed25519 and nothing else: Node 20 or later, and browsers of the day.
//
//   node verify.mjs [--keys keys.json] FILE...
//
// It checks how each line is written, the chain, the order of lines and times, the commitment, the seal and, with keys, the attestations;
// for games whose rules it is given it plays the match again, judging policies and clocks too.
import { Malformed } from './verifier/json.mjs';
import { Fault } from './verifier/fault.mjs';
import { concat, equal, toHex } from './verifier/bytes.mjs';
import { Tree, leafHash, sha256 } from './verifier/merkle.mjs';
import { MAX_LINE, MAX_LINES, isSeal, readLine } from './verifier/line.mjs';
import { attestations, checkAttestations, keySet } from './verifier/attest.mjs';
import { Match } from './verifier/match.mjs';
import { connectFour } from './verifier/connectfour.mjs';

/**
 * The rules that come along, by name and version. Each takes the start event and gives a game: see verifier/match.mjs for what a game
 * has. It throws where ruleset or position are not its own.
 */
export const RULES = { 'connect-four@1.0.0': connectFour };

/**
 * Verifies one record.
 *
 * bytes: a Uint8Array of the whole record. keys: the public keys to hold attestations against, as GET /api/v1/audit/public-keys gives
 * them, parsed; without them attestations are not judged. rules: see RULES.
 *
 * The report has status ("valid", "not re-run", "unfinished" or "invalid"), fault ({line, code, reason} or null), events, head and root
 * (hex; head is null before the first event), sealed, torn, rerun, opened, id, game, version, end ({cause, reason, ret} or null), counts,
 * and attested: null without keys, else {attestations: [{keyID, signedAt, url}]} or {code, reason}. Codes are those of the page. Throws
 * only for keys that are none, or where Web Crypto lacks an algorithm.
 */
export async function verify(bytes, { keys, rules = RULES } = {}) {
  const set = keys === undefined ? undefined : keySet(keys);
  const v = new Verifier(rules);
  try {
    for (const line of v.lines(bytes)) await v.take(line);
  } catch (e) {
    if (!(e instanceof Fault)) throw e;
    v.fault = { line: e.line ?? v.num, code: e.code, reason: e.message };
  }
  const report = await v.report();
  report.attested = set === undefined ? null : await attested(report, v, set);
  return report;
}

async function attested(report, v, keys) {
  if (report.status === 'invalid' || report.status === 'unfinished') return { code: report.status, reason: `the record is ${report.status}` };
  try {
    return { attestations: await checkAttestations(v.seal, keys, { events: v.tree.count, head: v.head, root: await v.tree.root() }) };
  } catch (e) {
    if (!(e instanceof Fault)) throw e;
    return { code: e.code, reason: e.message };
  }
}

const NEWLINE = 0x0a;

class Verifier {
  tree = new Tree();
  head = new Uint8Array(32); // leaf hash of the last event
  num = 0; // of the line that is read
  fault = null;
  torn = false;
  start = null;
  end = null;
  seal = null;
  match = null;
  opened = false;
  last = 0n; // time of the last event, since the start
  counts = { moves: 0, draws: 0, hostMoves: 0, faults: 0, claims: 0, rulings: 0, resumes: 0 };
  #rest; // the bytes after the line that is read

  constructor(rules) {
    this.rules = rules;
  }

  /** The lines of a record, each as bytes; torn is set where the last one is cut off. */
  * lines(bytes) {
    for (let from = 0; from < bytes.length;) {
      const line = cut(bytes.subarray(from));
      this.num++;
      if (line.tooLong) throw new Fault('too-long', `too long: more than ${MAX_LINE} bytes`);
      if (this.num > MAX_LINES) throw new Fault('too-long', `too long: more than ${MAX_LINES} lines`);
      if (line.torn) {
        this.torn = true;
        return;
      }
      from += line.bytes.length + 1;
      this.#rest = bytes.subarray(from);
      yield line.bytes;
    }
  }

  /** Judges the next line. Throws a Fault, whose line is this one where it names none. */
  async take(bytes) {
    if (this.seal) throw new Fault('order', 'nothing follows the seal');
    if (isSeal(bytes)) return this.#sealed(bytes);
    if (this.end) throw new Fault('order', 'nothing but a seal follows the end event');
    const e = read(bytes, 'form');
    if ((e.k === 'start') !== (this.start === null)) throw new Fault('order', 'the start event is the first and no other');
    const hash = await leafHash(bytes);
    if (!equal(e.prev, this.head)) throw this.#broken(hash);
    this.head = hash;
    await this.tree.add(hash);
    await this.#event(e);
    return undefined;
  }

  async #sealed(bytes) {
    if (!this.end) throw new Fault('order', 'a seal follows the end event');
    const seal = read(bytes, 'seal');
    try {
      attestations(seal.attestation);
    } catch (e) {
      throw e instanceof Malformed ? new Fault('seal', e.message) : e;
    }
    const [count, head, root] = [seal.count === BigInt(this.tree.count), equal(seal.head, this.head), equal(seal.root, await this.tree.root())];
    if (count && !head && !root) throw at(this.num - 1, new Fault('chain', 'the chain is broken: it is not the line that was sealed'));
    if (!count) throw new Fault('seal', `not the seal of this record: it counts ${seal.count} events, there are ${this.tree.count}`);
    if (!head) throw new Fault('seal', 'not the seal of this record: its head is not the hash of the last event');
    if (!root) throw new Fault('seal', 'not the seal of this record: its root is not that of the events');
    this.seal = seal;
  }

  // Which of two lines is wrong that do not chain: the line after them decides.
  #broken(hash) {
    if (this.num > 1 && this.#rest.length > 0) {
      const after = cut(this.#rest);
      try {
        const next = after.torn || after.tooLong ? undefined : readLine(after.bytes);
        if (next && equal(next.k === 'seal' ? next.head : next.prev, hash)) {
          return at(this.num - 1, new Fault('chain', `the chain is broken: it is not the line that line ${this.num} was chained to`));
        }
      } catch (e) {
        if (!(e instanceof Malformed)) throw e;
      }
    }
    return new Fault('chain', 'the chain is broken: it was not chained to the line before it');
  }

  async #event(e) {
    const time = e.t ?? 0n;
    if (time < this.last) throw new Fault('time', 'time runs backwards');
    if (e.k === 'start') {
      this.#begin(e);
    } else if (e.k === 'end') {
      this.match?.mayEnd(e, this.#since(time));
      await this.#open(e);
      await this.match?.draws(e.secret);
      this.match?.next(e, this.#since(time));
      this.end = e;
    } else {
      this.match?.next(e, this.#since(time));
    }
    this.last = time;
    this.#count(e);
  }

  #since(time) {
    return (this.start.at ?? 0n) + time;
  }

  #begin(e) {
    this.start = e;
    const name = `${e.game}@${e.version}`;
    if (!Object.hasOwn(this.rules, name)) return;
    try {
      this.match = new Match(e, this.rules[name](e));
    } catch (err) {
      throw err instanceof Fault ? err : new Fault('rules', err.message);
    }
  }

  async #open({ secret, salt }) {
    if (!equal(await sha256(concat(secret, salt)), this.start.commit)) throw new Fault('commitment', 'secret and salt do not open the commitment of the start event');
    this.opened = true;
  }

  #count({ k, s, a }) {
    const c = this.counts;
    if (k === 'move' && s === 'chance') c.draws++;
    else if (k === 'move' && s === 'host') c.hostMoves++;
    else if (k === 'move' || k === 'fault' && a) c.moves++;
    if (k === 'fault') c.faults++;
    if (k === 'claim') c.claims++;
    if (k === 'rule') c.rulings++;
    if (k === 'resume') c.resumes++;
  }

  async report() {
    const { start, end } = this;
    let status = 'valid';
    if (this.fault) status = 'invalid';
    else if (!end || this.torn) status = 'unfinished';
    else if (!this.match) status = 'not re-run';
    return {
      status, fault: this.fault, events: this.tree.count, head: this.tree.count > 0 ? toHex(this.head) : null, root: toHex(await this.tree.root()),
      sealed: this.seal !== null, torn: this.torn, rerun: this.match !== null, opened: this.opened,
      id: start?.id ?? null, game: start?.game ?? null, version: start?.version ?? null,
      end: end && { cause: end.cause, reason: end.reason ?? '', ret: end.ret ?? null }, counts: this.counts,
    };
  }
}

/** The first line of some bytes. */
function cut(bytes) {
  const n = bytes.subarray(0, MAX_LINE + 1).indexOf(NEWLINE);
  if (n < 0 && bytes.length > MAX_LINE) return { tooLong: true };
  return n < 0 ? { torn: true } : { bytes: bytes.subarray(0, n) };
}

function at(line, fault) {
  fault.line = line;
  return fault;
}

function read(bytes, code) {
  try {
    return readLine(bytes);
  } catch (e) {
    throw e instanceof Malformed ? new Fault(code, e.message) : e;
  }
}

/** A report in one line. */
export function summary(r) {
  let s = r.status;
  if (r.fault) s += ` (line ${r.fault.line}: ${r.fault.reason})`;
  if (r.id !== null) s += `: ${r.id}, ${r.game} ${r.version}`;
  s += `, ${r.events} events`;
  if (r.end && !r.fault) s += `, ${r.end.cause} by ${r.end.reason}${r.end.ret ? `, returns ${r.end.ret.join(' ')}` : ''}`;
  if (r.torn) s += ', the last line cut off';
  else if (r.end) s += r.sealed ? ', sealed' : ', not sealed';
  if (r.attested?.attestations) s += `, attested by ${r.attested.attestations.map((a) => a.keyID).join(' ')}`;
  else if (r.attested) s += `, not attested (${r.attested.reason})`;
  return s.replace(/[^\x20-\x7e]/gu, (c) => `\\u{${c.codePointAt(0).toString(16)}}`); // fit for a terminal
}

async function main(args) {
  const { readFile } = await import('node:fs/promises');
  let keys;
  if (args[0] === '--keys') {
    try {
      keys = JSON.parse(await readFile(args[1] ?? '', 'utf8'));
      keySet(keys);
    } catch (e) {
      console.error(`--keys: ${e.message}`);
      return 2;
    }
    args = args.slice(2);
  }
  if (args.length === 0 || args[0].startsWith('-')) {
    console.error('usage: node verify.mjs [--keys keys.json] FILE...');
    return 2;
  }
  let code = 0;
  for (const path of args) {
    try {
      const report = await verify(await readFile(path), { keys });
      if (report.status !== 'valid' || report.attested && !report.attested.attestations) code = 1;
      console.log(`${path}: ${summary(report)}`);
    } catch (e) {
      console.log(`${path}: ${e.message}`);
      code = 1;
    }
  }
  return code;
}

if (globalThis.process?.argv?.[1]) {
  const [{ realpathSync }, { pathToFileURL }] = await Promise.all([import('node:fs'), import('node:url')]);
  if (import.meta.url === pathToFileURL(realpathSync(globalThis.process.argv[1])).href) globalThis.process.exitCode = await main(globalThis.process.argv.slice(2));
}
