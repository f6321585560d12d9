// What the frameworks' own programs make, and the first page of SolidStart's template, sign in at the running server after the command, and hears of sign-outs elsewhere.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answers, freePort, program, run } from '../../../examples/running.js';
import { dev, signIn, visit, withBrowser } from '../../../test/chromium.js';
import { connect, filesIn, fresh, remove, template } from './fresh.js';

withBrowser();
const manifest = (dependencies) => JSON.stringify({ private: true, type: 'module', dependencies });
const from = (example) => new URL(`../../../examples/${example}/package.json`, import.meta.url);
const example = (name, path) => readFileSync(new URL(`../../../examples/${name}/${path}`, import.meta.url), 'utf8');

const PROJECTS = {
  next: {
    files: () => ({
      ...template('create-next-app', 'dist/templates/app-empty/ts'),
      // Its program sets these.
      'next.config.ts': 'export default { cacheComponents: true, partialPrefetching: true };\n',
      'package.json': manifest({ next: '16.4.6', react: '19', 'react-dom': '19' }),
    }),
    needs: ['auth.ts', 'app/auth/[...svc]/route.ts', 'proxy.ts', 'app/sign-in.tsx'],
    program: 'next/dist/bin/next',
    command: (program, port) => [program, 'start', '--port', port],
  },
  sveltekit: {
    files: created,
    needs: ['src/hooks.server.ts', 'src/lib/SignIn.svelte', 'src/routes/+layout.server.ts'],
    program: 'vite/bin/vite.js',
    command: () => ['build/index.js'],
  },
  solidstart: {
    files: () => ({
      'package.json': manifest({ '@solidjs/start': '1', 'solid-js': '1' }),
      'tsconfig.json': example('solidstart', 'tsconfig.json'),
      'app.config.ts': "import { defineConfig } from '@solidjs/start/config';\n\nexport default defineConfig({});\n",
      'src/app.tsx': example('solidstart', 'src/app.tsx'),
      'src/entry-client.tsx': example('solidstart', 'src/entry-client.tsx'),
      'src/entry-server.tsx': example('solidstart', 'src/entry-server.tsx'),
      'src/routes/index.tsx': 'export default function Home() {\n  return (\n    <main>\n      <h1>Hello world!</h1>\n    </main>\n  );\n}\n',
    }),
    needs: ['src/auth.ts', 'src/routes/auth/[...svc].ts', 'src/middleware.ts', 'src/SignIn.tsx', 'src/person.ts'],
    program: 'vinxi/bin/cli.mjs',
    command: () => ['.output/server/index.mjs'],
  },
};

/** What `sv create` makes, for servers of Node. */
function created() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sv-'));
  try {
    const sv = join(dirname(fileURLToPath(import.meta.resolve('sv'))), '..', 'bin.mjs');
    execFileSync(process.execPath, [sv, 'create', folder, '--template', 'minimal', '--types', 'ts', '--no-install', '--no-add-ons', '--no-dir-check'], { stdio: 'ignore' });
    const files = filesIn(folder);
    return { ...files, 'vite.config.ts': String(files['vite.config.ts']).replace('adapter-auto', 'adapter-node') };
  } finally {
    remove(folder);
  }
}

for (const [name, project] of Object.entries(PROJECTS)) {
  test(`a fresh project of ${name}`, () => visit(async (page, context) => {
    const folder = fresh(name, project.files());
    const port = await freePort();
    const home = `http://localhost:${port}`;
    let child;
    try {
      const settings = connect(folder, home);
      for (const file of project.needs) readFileSync(join(folder, file));
      const tool = program(from(name), project.program);
      await run([tool, 'build'], folder);
      const env = { ...process.env, ...settings, NODE_OPTIONS: '', PORT: String(port), HOST: 'localhost', ORIGIN: home, NEXT_TELEMETRY_DISABLED: '1' };
      let said = '';
      child = spawn(process.execPath, project.command(tool, port), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
      await answers(home, child, () => said);

      await page.goto(home);
      await page.click('a:text-is("Sign in")');
      await signIn(page);
      await page.click('#consent-allow');
      await page.waitForURL(`${home}/`);
      await page.waitForSelector('button:text-is("Sign out")');
      const known = () => page.evaluate(async () => (await (await fetch('/auth/session')).json()).session);
      const { sub, scopes } = await known();
      assert.ok(sub);
      assert.ok(scopes.includes('offline_access'), 'without it nothing is renewed');
      await endsElsewhere(await context.newPage(), known);
    } finally {
      if (child && child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
      remove(folder);
    }
  }));
}

/** The person signs out at the service; the application hears of it at the address that the command registered. */
async function endsElsewhere(page, known) {
  await page.goto(`${dev.issuer}/oauth/end-session`);
  await page.click('#logout-confirm');
  for (let turn = 0; await known(); turn += 1) {
    assert.ok(turn < 50, 'the back-channel logout did not arrive');
    await page.waitForTimeout(200);
  }
}
