// Attestations: who vouches for a record, and with a key that was good then.
import { Malformed, member, quote, write } from './json.mjs';
import { equal, fromHex } from './bytes.mjs';
import { Fault } from './fault.mjs';
import { subtle } from './subtle.mjs';

const MAX_SIGNERS = 16;
const MAX_EVENTS = 16777216n;

/** The objects of a seal's attestation. Throws Malformed. */
export function attestations(node) {
  if (node === undefined) return [];
  if (node.kind === 'object') return [node];
  if (node.kind !== 'array' || node.items.length < 2 || node.items.length > MAX_SIGNERS || node.items.some((item) => item.kind !== 'object')) {
    throw new Malformed(`attestation: not an object, nor a list of 2 to ${MAX_SIGNERS}`);
  }
  return node.items;
}

/** Reads one attestation; text is what is signed. Throws Malformed. */
function read(node) {
  const bytes = (name, prefix, length) => {
    const s = text(name);
    const b = s.startsWith(prefix) ? fromHex(s.slice(prefix.length), length) : undefined;
    if (!b) throw new Malformed(`${name}: not ${prefix} and ${length} bytes in lower-case hex`);
    return b;
  };
  const text = (name) => {
    const m = member(node, name);
    if (m?.kind !== 'string') throw new Malformed(`${name}: there is no text`);
    return m.text;
  };
  const int = (name, most) => {
    const m = member(node, name);
    if (m?.kind !== 'number' || !/^(?:0|[1-9][0-9]{0,15})$/.test(m.text) || BigInt(m.text) > most) throw new Malformed(`${name}: not an integer from 0 to ${most}`);
    return Number(m.text);
  };
  const keyID = text('public_key_id');
  if (!/^[!-~]{1,128}$/.test(keyID)) throw new Malformed('public_key_id: not 1 to 128 printable characters');
  const url = member(node, 'verify_url');
  if (url && url.kind !== 'string' && url.kind !== 'null') throw new Malformed('verify_url: not a text');
  const signed = node.members.filter(([name]) => name !== 'signature');
  return {
    keyID, root: bytes('battle_hash', 'sha256:', 32), head: bytes('head', 'sha256:', 32), events: int('events', MAX_EVENTS),
    signedAt: int('signed_at', 2n ** 53n), url: url?.text ?? '', signature: bytes('signature', 'ed25519:', 64),
    text: `{${signed.map(([name, value]) => `${quote(name)}:${write(value)}`).join(',')}}`,
  };
}

/** Reads a set of keys in the form of GET /api/v1/audit/public-keys, parsed. Throws TypeError where it is no such set. */
export function keySet(json) {
  const set = new Map();
  if (!Array.isArray(json?.keys)) throw new TypeError('keys: no list of keys');
  for (const [i, key] of json.keys.entries()) {
    const bad = (what) => { throw new TypeError(`keys[${i}]: ${what}`); };
    const raw = typeof key.public_key === 'string' && fromHex(key.public_key, 32);
    if (key.algorithm !== 'ed25519' || !raw) bad('not an Ed25519 key of 32 bytes in lower-case hex');
    if (typeof key.public_key_id !== 'string' || !/^[!-~]{1,128}$/.test(key.public_key_id)) bad('public_key_id: not 1 to 128 printable characters');
    if (set.has(key.public_key_id)) bad('public_key_id: stands for two keys');
    const bound = (name) => {
      const at = key[name] ?? undefined;
      if (at !== undefined && (!Number.isSafeInteger(at) || at < 0)) bad(`${name}: not Unix seconds`);
      return at;
    };
    set.set(key.public_key_id, { raw, from: bound('not_before'), until: bound('not_after'), revoked: bound('revoked_at') });
  }
  return set;
}

async function isSigned(raw, signature, text) {
  try {
    const key = await subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, key, signature, new TextEncoder().encode(text));
  } catch (e) {
    if (e.name === 'NotSupportedError') throw e; // of this machine, and not of the key
    return false;
  }
}

/** Judges every attestation of a seal against a key set and the events as they were read; throws the Fault of the first one that is not good. */
export async function checkAttestations(seal, keys, { events, head, root }) {
  const nodes = seal ? attestations(seal.attestation) : [];
  if (nodes.length === 0) throw new Fault('unattested', 'nobody attests to the record');
  const out = [];
  const readAll = nodes.map((node) => {
    try {
      return read(node);
    } catch (e) {
      throw e instanceof Malformed ? new Fault('attestation', `not an attestation of this record: ${e.message}`) : e;
    }
  });
  for (const a of readAll) {
    const key = keys.get(a.keyID);
    const id = JSON.stringify(a.keyID);
    if (!key) throw new Fault('key-unknown', `the key is not known: ${id}`);
    if (!await isSigned(key.raw, a.signature, a.text)) throw new Fault('signature', `the signature is wrong: it is not by ${id} over this text`);
    if (key.revoked !== undefined && a.signedAt >= key.revoked) throw new Fault('key-revoked', `the key was revoked by then: ${id}, signed at ${a.signedAt}, revoked at ${key.revoked}`);
    if (a.signedAt < (key.from ?? 0) || key.until !== undefined && a.signedAt >= key.until) throw new Fault('key-period', `the key was not good then: ${id}, signed at ${a.signedAt}`);
    if (a.events !== events) throw new Fault('attestation', `not an attestation of this record: it is about ${a.events} events, there are ${events}`);
    if (!equal(a.head, head)) throw new Fault('attestation', 'not an attestation of this record: its head is not the last event');
    if (!equal(a.root, root)) throw new Fault('attestation', 'not an attestation of this record: its battle_hash is not the root of the events');
    out.push({ keyID: a.keyID, signedAt: a.signedAt, url: a.url });
  }
  return out;
}
