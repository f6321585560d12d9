// Packs every package that is published into a folder (or one that is removed again) and looks at the archives; `--install` also
// installs each into a fresh project and uses it there. SVC_REPOSITORY is the address of the repository that they are published from.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, pack } from './archive.mjs';
import { faultsWhenFresh } from './fresh.mjs';
import { packages } from './packages.mjs';

const { values: { install }, positionals: [wanted] } = parseArgs({ options: { install: { type: 'boolean' } }, allowPositionals: true });
const place = mkdtempSync(join(tmpdir(), 'svc-pack-'));
const folder = wanted ? resolve(wanted) : join(place, 'archives');
const published = packages().filter(({ manifest }) => !manifest.private);
const faults = [];
try {
  mkdirSync(folder, { recursive: true });
  // What an earlier version left is none of these.
  for (const old of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) rmSync(join(folder, old));
  const archives = new Map(published.map((one) => [one.manifest.name, pack(one, folder, process.env.SVC_REPOSITORY)]));
  for (const one of published) {
    const { name, version } = one.manifest;
    const found = faultsOf(archives.get(name), one.manifest);
    if (version !== published[0].manifest.version) found.push(`${name} has another version than ${published[0].manifest.name}`);
    if (install) found.push(...faultsWhenFresh(one, archives, place));
    console.log(`${found.length > 0 ? 'refused' : 'packed'} ${name}: ${(statSync(archives.get(name)).size / 1024).toFixed(1)} KB`);
    faults.push(...found);
  }
} finally {
  rmSync(place, { recursive: true });
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}
