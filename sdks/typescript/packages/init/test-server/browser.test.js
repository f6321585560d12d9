// What `create-vite` makes for each framework signs in at the running server after the command, without another change.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { test } from 'node:test';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import { build } from 'vite';
import solid from 'vite-plugin-solid';
import { signIn, visit, withBrowser } from '../../../test/chromium.js';
import { connect, fresh, remove, template } from './fresh.js';

withBrowser();
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png' };
// Vite compiles the elements of React by itself.
const PLUGINS = { react: [], vue: [vue()], solid: [solid()], svelte: [svelte({ configFile: false })], vanilla: [] };

for (const [name, plugins] of Object.entries(PLUGINS)) {
  // Without TypeScript they differ in what files are called, which one of them is enough for.
  for (const kind of name === 'react' ? ['react-ts', 'react'] : [`${name}-ts`]) {
    test(`a fresh project of ${kind}`, () => visit(async (page) => {
      let files = new Map();
      const server = createServer((request, response) => {
        const { pathname } = new URL(request.url, 'http://localhost');
        const found = files.has(pathname) ? pathname : '/index.html';
        response.setHeader('content-type', TYPES[extname(found)] ?? 'text/html; charset=utf-8');
        response.end(files.get(found));
      });
      await new Promise((resolve) => server.listen(0, 'localhost', resolve));
      const origin = `http://localhost:${server.address().port}`;
      const folder = fresh(name === 'vanilla' ? 'react-spa' : `${name}-spa`, template('create-vite', `template-${kind}`), `.fresh-${kind}`);
      try {
        assert.match(connect(folder, origin).VITE_SVC_CLIENT_ID, /^app_/);
        const { output } = await build({ root: folder, configFile: false, plugins, logLevel: 'error', build: { write: false, target: 'es2022' } });
        files = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
        // What routers listen to.
        await page.addInitScript(() => addEventListener('popstate', () => (window.routed = location.pathname)));
        await page.goto(origin);
        await page.click('button:text-is("Sign in")');
        await signIn(page);
        await page.click('#consent-allow');
        // The ID tokens of applications that registered themselves have no names: UserInfo has them.
        await page.waitForSelector(name === 'vanilla' ? 'button:text-is("Sign out Ada Lovelace")' : '[aria-label="Account: Ada Lovelace"]');
        await page.waitForFunction(() => window.routed === '/');
        assert.equal(page.url(), `${origin}/`);
      } finally {
        server.close();
        server.closeAllConnections();
        remove(folder);
      }
    }));
  }
}
