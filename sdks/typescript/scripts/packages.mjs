// The packages of the workspace, each after those that it depends on.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The folder of the workspace. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Every package: its folder and its manifest. */
export function packages() {
  const found = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }));
  const sorted = [];
  const place = (one) => {
    if (sorted.includes(one)) return;
    for (const name of linked(one.manifest)) {
      const needed = found.find(({ manifest }) => manifest.name === name);
      if (needed) place(needed);
    }
    sorted.push(one);
  };
  found.forEach(place);
  return sorted;
}

/** The packages of the workspace that a manifest names. */
export function linked({ dependencies, devDependencies, peerDependencies }) {
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).filter((name) => name.startsWith('@svc/'));
}
