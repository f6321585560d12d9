// Runs the tests of the examples against the development server whose ready line is in SVC_DEV.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

if (!process.env.SVC_DEV) {
  console.error('SVC_DEV is not set: it is the line that `svc-runtime dev --json` prints.');
  process.exit(1);
}
const tests = ['examples', 'packages'].flatMap((kind) => readdirSync(join(root, kind)).flatMap((name) => {
  // Of the packages only what is named for it: their other tests need no server.
  const folder = join(root, kind, name, kind === 'examples' ? 'test' : 'test-server');
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.test.js')).map((file) => join(folder, file)) : [];
}));
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=1', ...tests], { stdio: 'inherit', cwd: root });
process.exit(status ?? 1);
