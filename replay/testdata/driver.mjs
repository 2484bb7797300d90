// Runs verify.mjs for the Go tests.
//
//   node driver.mjs records KEYS FILE...  the report on each file, one JSON a line
//   node driver.mjs bits KEYS FILE        the verdict on the file as it is, then with each bit flipped, one a line
//   node driver.mjs many KEYS FILE        two verdicts on each record of a JSON array of records in base64, with and without rules
//
// A verdict is the status, the line of the fault or 0, its code or "-", "attested" or the code of what is wrong with the attestations.
import { readFile } from 'node:fs/promises';
import { RULES, verify } from '../verify.mjs';
import { kuhn } from './kuhn.mjs';

const [mode, keysPath, ...paths] = process.argv.slice(2);
const keys = JSON.parse(await readFile(keysPath, 'utf8'));

async function verdict(record, options) {
  const { status, fault, attested } = await verify(record, { keys, ...options });
  return `${status.replaceAll(' ', '-')} ${fault?.line ?? 0} ${fault?.code ?? '-'} ${attested.attestations ? 'attested' : attested.code}`;
}

switch (mode) {
  case 'records':
    for (const path of paths) console.log(JSON.stringify(await verify(await readFile(path), { keys, rules: { ...RULES, 'kuhn@1.0.0': kuhn } })));
    break;
  case 'bits': {
    const record = new Uint8Array(await readFile(paths[0]));
    const out = [await verdict(record)];
    const bits = 8 * record.length;
    for (let from = 0; from < bits; from += 256) { // some at once: most of the time goes into waiting for Web Crypto
      const flips = Array.from({ length: Math.min(256, bits - from) }, (_, i) => {
        const flipped = record.slice();
        flipped[from + i >> 3] ^= 1 << (i & 7);
        return verdict(flipped);
      });
      out.push(...await Promise.all(flips));
    }
    console.log(out.join('\n'));
    break;
  }
  case 'many': {
    const out = [];
    for (const text of JSON.parse(await readFile(paths[0], 'utf8'))) {
      const record = Buffer.from(text, 'base64');
      out.push(await verdict(record), await verdict(record, { rules: {} }));
    }
    console.log(out.join('\n'));
    break;
  }
  default:
    throw new Error(`no mode ${mode}`);
}
