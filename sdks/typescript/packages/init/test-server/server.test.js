// The least project of each framework with a server signs in at the running server after the command, and hears of sign-outs elsewhere.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answers, freePort, program, run } from '../../../examples/running.js';
import { dev, signIn, visit, withBrowser } from '../../../test/chromium.js';
import { connect, fresh, remove } from './fresh.js';

withBrowser();
const manifest = (dependencies) => JSON.stringify({ private: true, type: 'module', dependencies });
const from = (example) => new URL(`../../../examples/${example}/package.json`, import.meta.url);
const example = (name, path) => readFileSync(new URL(`../../../examples/${name}/${path}`, import.meta.url), 'utf8');

const PROJECTS = {
  next: {
    files: {
      'package.json': manifest({ next: '16.4.6', react: '19', 'react-dom': '19' }),
      'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
      'app/page.jsx': 'export default () => <a id="sign-in" href="/auth/login?returnTo=/">Sign in</a>;\n',
    },
    needs: ['auth.js', 'app/auth/[...svc]/route.js', 'proxy.js'],
    program: 'next/dist/bin/next',
    command: (program, port) => [program, 'start', '--port', port],
  },
  sveltekit: {
    files: {
      'package.json': manifest({ '@sveltejs/kit': '2', svelte: '5' }),
      'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
      'vite.config.ts': example('sveltekit', 'vite.config.js'),
      'svelte.config.js': "import adapter from '@sveltejs/adapter-node';\n\nexport default {\n\tkit: {\n\t\tadapter: adapter()\n\t}\n};\n",
      'src/app.html': example('sveltekit', 'src/app.html'),
      'src/app.d.ts': 'declare global {\n\tnamespace App {\n\t\t// interface Error {}\n\t\t// interface Locals {}\n\t}\n}\n\nexport {};\n',
      'src/routes/+page.svelte': '<a id="sign-in" href="/auth/login?returnTo=/">Sign in</a>\n',
    },
    needs: ['src/hooks.server.ts'],
    program: 'vite/bin/vite.js',
    command: () => ['build/index.js'],
  },
  solidstart: {
    files: {
      'package.json': manifest({ '@solidjs/start': '1', 'solid-js': '1' }),
      'tsconfig.json': example('solidstart', 'tsconfig.json'),
      'app.config.ts': "import { defineConfig } from '@solidjs/start/config';\n\nexport default defineConfig({});\n",
      'src/app.tsx': example('solidstart', 'src/app.tsx'),
      'src/entry-client.tsx': example('solidstart', 'src/entry-client.tsx'),
      'src/entry-server.tsx': example('solidstart', 'src/entry-server.tsx'),
      'src/routes/index.tsx': 'export default () => <a id="sign-in" rel="external" href="/auth/login?returnTo=/">Sign in</a>;\n',
    },
    needs: ['src/auth.ts', 'src/routes/auth/[...svc].ts', 'src/middleware.ts'],
    program: 'vinxi/bin/cli.mjs',
    command: () => ['.output/server/index.mjs'],
  },
};

for (const [name, project] of Object.entries(PROJECTS)) {
  test(`a fresh project of ${name}`, () => visit(async (page, context) => {
    const folder = fresh(name, project.files);
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
      await page.click('#sign-in');
      await signIn(page);
      await page.click('#consent-allow');
      await page.waitForURL(`${home}/`);
      const known = () => page.evaluate(async () => (await (await fetch('/auth/session')).json()).session);
      assert.ok((await known()).sub);
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
