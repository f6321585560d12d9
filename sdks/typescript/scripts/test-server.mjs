// Runs the tests of the examples against the development server whose ready line is in SVC_DEV; `--brief` one flow of each family.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

/** Applications in browsers, on servers and on desktops, and a fresh project: the files, and the names of their flows. */
const BRIEF = {
  'examples/react-spa/test/alike.test.js': 'the example of react: sign-in',
  'examples/vue-spa/test/spa.test.js': 'the example of vue: sign-in',
  'examples/sveltekit/test/browser.test.js': 'SvelteKit: (sign-in|nothing)',
  'examples/electron/test/electron.test.js': 'sign-in, renewal, sign-out, and the windows',
  'examples/expo/test/native.test.js': 'Expo on a phone',
  'packages/init/test-server/browser.test.js': 'a fresh project of svelte-ts',
};

if (!process.env.SVC_DEV) {
  console.error('SVC_DEV is not set: it is the line that `svc-runtime dev --json` prints.');
  process.exit(1);
}
const isBrief = process.argv.includes('--brief');
const files = isBrief ? Object.keys(BRIEF) : ['examples', 'packages'].flatMap((kind) => readdirSync(join(root, kind)).flatMap((name) => {
  // Of the packages only what is named for it: their other tests need no server.
  const folder = join(kind, name, kind === 'examples' ? 'test' : 'test-server');
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter((file) => file.endsWith('.test.js')).map((file) => join(folder, file)) : [];
}));
const chosen = isBrief ? [`--test-name-pattern=${Object.values(BRIEF).join('|')}`] : [];
const { status } = spawnSync(process.execPath, ['--test', '--test-concurrency=2', '--test-reporter=spec', ...chosen, ...files], { stdio: 'inherit', cwd: root });
process.exit(status ?? 1);
