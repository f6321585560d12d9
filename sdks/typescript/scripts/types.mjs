// Checks the types of what is not built: the tests of packages, the examples, and the programs in the pages of docs/packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

const configs = ['', ...['packages', 'examples'].flatMap((kind) => readdirSync(join(root, kind)).map((name) => join(kind, name)))]
  .map((folder) => join(folder, 'tsconfig.test.json'))
  .filter((config) => existsSync(join(root, config)));
// Applications of frameworks whose own build checks no types.
configs.push(...['next', 'solidstart'].map((name) => join('examples', name, 'tsconfig.json')));
let failed = false;
for (const config of configs) {
  const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', config, '--noEmit'], { stdio: 'inherit', cwd: root });
  if (status !== 0) failed = true;
  else console.log(`types of ${config}`);
}

// The pages' programs see what their readers see: the packages as they are built.
const PAGES = ['client', 'react', 'vue', 'solid', 'svelte', 'migrate'];
const docs = join(root, '..', '..', 'docs', 'packages');
const folder = join(root, 'examples', 'react-spa', 'node_modules', '.docs');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const page of PAGES) {
  const blocks = readFileSync(join(docs, `${page}.md`), 'utf8').matchAll(/^```(tsx?)\n([^]*?)^```$/gm);
  [...blocks].forEach(([, kind, text], n) => writeFileSync(join(folder, `${page}-${n}.${kind}`), text));
}
const compilerOptions = { module: 'ESNext', moduleResolution: 'Bundler', jsx: 'react-jsx', noEmit: true, types: [] };
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*'] }));
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { stdio: 'inherit' });
if (status !== 0) failed = true;
else console.log('types of docs/packages');
if (failed) process.exit(1);
