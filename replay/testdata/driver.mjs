// Runs verify.mjs for the Go tests.
//
//   node driver.mjs records KEYS FILE...  the report on each file, one JSON a line
//   node driver.mjs bits KEYS FILE        the verdict on the file as it is, then with each bit flipped, one a line: status, line of the
//                                         fault or 0, its code or "-", and "attested" or the code of what is wrong with the attestations
import { readFile } from 'node:fs/promises';
import { verify } from '../verify.mjs';

const [mode, keysPath, ...paths] = process.argv.slice(2);
const keys = JSON.parse(await readFile(keysPath, 'utf8'));

function verdict({ status, fault, attested }) {
  return `${status.replaceAll(' ', '-')} ${fault?.line ?? 0} ${fault?.code ?? '-'} ${attested.attestations ? 'attested' : attested.code}`;
}

if (mode === 'records') {
  for (const path of paths) console.log(JSON.stringify(await verify(await readFile(path), { keys })));
} else {
  const record = new Uint8Array(await readFile(paths[0]));
  console.log(verdict(await verify(record, { keys })));
  const out = [];
  for (let bit = 0; bit < 8 * record.length; bit++) {
    record[bit >> 3] ^= 1 << (bit & 7);
    out.push(verdict(await verify(record, { keys })));
    record[bit >> 3] ^= 1 << (bit & 7);
  }
  console.log(out.join('\n'));
}
