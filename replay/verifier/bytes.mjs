// Bytes and their texts.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Map([...DIGITS].map((c, i) => [c, i]));

/** Reads so many bytes of base64url without padding (RFC 4648, section 5); undefined where the text is not exactly that. */
export function fromBase64url(text, length) {
  if (text.length !== Math.ceil(length * 8 / 6)) return undefined;
  const out = new Uint8Array(length);
  let bits = 0, held = 0, at = 0;
  for (const c of text) {
    const v = VALUES.get(c);
    if (v === undefined) return undefined;
    bits = (bits << 6 | v) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[at++] = bits >> held & 0xff;
    }
  }
  return bits & (1 << held) - 1 ? undefined : out;
}

/** Reads so many bytes of lower-case hex; undefined where the text is not exactly that. */
export function fromHex(text, length) {
  if (text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) return undefined;
  return Uint8Array.from({ length }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function toHex(bytes) {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export function equal(a, b) {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}
