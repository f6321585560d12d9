// Checks the types of what is not built: the tests of packages, and the examples.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

const configs = ['', ...['packages', 'examples'].flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(kind, name)))]
  .map((folder) => join(folder, 'tsconfig.test.json'))
  .filter((config) => existsSync(join(root, config)));
let failed = false;
for (const config of configs) {
  const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config], { stdio: 'inherit', cwd: root });
  if (status !== 0) failed = true;
  else console.log(`types of ${config}`);
}
if (failed) process.exit(1);
