// Checks the types of what is not built: tests and examples that have a `tsconfig.test.json`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

let failed = false;
for (const kind of ['packages', 'examples']) {
  if (!existsSync(join(root, kind))) continue;
  for (const name of readdirSync(join(root, kind))) {
    const config = join(root, kind, name, 'tsconfig.test.json');
    if (!existsSync(config)) continue;
    const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config, '--noEmit'], { stdio: 'inherit' });
    if (status !== 0) failed = true;
    else console.log(`types of ${kind}/${name}`);
  }
}
if (failed) process.exit(1);
