// What the small examples for browsers do alike, in Chromium against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { build } from 'vite';
import { dev, signIn, visit, withBrowser } from '../test/chromium.js';

const HOME = 'http://localhost:8765/';

export function tests(name, root) {
  withBrowser();
  let files;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, HOME);
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(files.get(pathname) ?? files.get('/index.html'));
  });
  before(async () => {
    const { client_id } = dev.clients.find(({ handle }) => handle === 'spa');
    const define = { 'import.meta.env.VITE_SVC_ISSUER': JSON.stringify(dev.issuer), 'import.meta.env.VITE_SVC_CLIENT_ID': JSON.stringify(client_id) };
    const { output } = await build({ root, define, logLevel: 'error', build: { write: false, target: 'es2022' } });
    files = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
    await new Promise((resolve) => server.listen(8765, 'localhost', resolve));
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  test(`the example of ${name}: sign-in, another tab, sign-out in both`, () => visit(async (page, context) => {
    await page.goto(HOME);
    await page.waitForFunction(() => document.body.textContent.includes('Sign in to see your notes.'));
    await page.click('button:text-is("Sign in")');
    await signIn(page);
    const isAda = (tab) => tab.waitForFunction(() => document.querySelector('#person')?.textContent === 'Ada Lovelace');
    await isAda(page);
    assert.equal(page.url(), HOME);
    const other = await context.newPage();
    await other.goto(HOME);
    await isAda(other);
    await page.click('[aria-haspopup=menu]');
    await page.click('[role=menuitem]:text-is("Sign out")');
    await other.waitForFunction(() => document.body.textContent.includes('Sign in to see your notes.'));
    await page.waitForURL(HOME);
    await page.click('button:text-is("Sign in")');
    await page.waitForSelector('#login-submit');
  }));
}
