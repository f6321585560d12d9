// What the command makes of a fresh project of each framework for browsers signs in at the running server.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { dev, signIn, visit, withBrowser } from '../../../test/chromium.js';

withBrowser();
const here = fileURLToPath(new URL('..', import.meta.url));
const SIGNS = { react: 'react', vue: 'vue', solid: 'solid-js', svelte: 'svelte' };

for (const [n, [name, sign]] of Object.entries(SIGNS).entries()) {
  test(`a fresh project of ${name}`, () => visit(async (page) => {
    // Inside the workspace, so that its packages are found.
    const folder = join(here, 'node_modules', `.fresh-${name}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'src'), { recursive: true });
    const origin = `http://localhost:${8771 + n}`;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: { [sign]: '*' } }));
    const ran = spawnSync(process.execPath, [join(here, 'dist', 'cli.js'), '--issuer', dev.issuer, '--origin', origin, '--yes'], { cwd: folder, encoding: 'utf8' });
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(readFileSync(join(folder, '.env.local'), 'utf8'), /^VITE_SVC_CLIENT_ID=app_/m);

    writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><title>Fresh</title><link rel="icon" href="data:,"><p id="person"></p><button>in</button><script type="module" src="/src/main.js"></script></html>');
    writeFileSync(join(folder, 'src', 'main.js'), `
      import { client } from './auth.js';
      if (client.isCallback()) await client.handleCallback();
      const { status, user } = await client.ready();
      document.querySelector('#person').textContent = status === 'signed-in' ? user.name : status;
      document.querySelector('button').onclick = () => client.login({ returnTo: '/' });`);
    const { output } = await build({ root: folder, logLevel: 'error', build: { write: false, target: 'es2022' } });
    const files = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url, origin);
      response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
      response.end(files.get(pathname) ?? files.get('/index.html'));
    });
    await new Promise((resolve) => server.listen(8771 + n, 'localhost', resolve));
    try {
      await page.goto(origin);
      await page.waitForFunction(() => document.querySelector('#person').textContent === 'signed-out');
      await page.click('button');
      await signIn(page);
      await page.click('#consent-allow');
      // The ID tokens of applications that registered themselves have no names: UserInfo has them.
      await page.waitForFunction(() => document.querySelector('#person')?.textContent === 'Ada Lovelace');
    } finally {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    }
  }));
}
