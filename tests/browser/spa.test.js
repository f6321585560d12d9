// oidc-client-ts with the program of docs/frameworks/spa.md, which the page of an application runs as it stands.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { blocks } from '../guides.mjs';
import { client, dev, signIn, visit, withBrowser } from './browser.js';

const { client_id } = client(({ handle }) => handle === 'browser');
const HOME = 'http://localhost:5173/';
const PAGE = `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"oidc-client-ts": "/oidc-client-ts.js", "jwt-decode": "/jwt-decode.js"}}</script>
<p id="person"></p><button id="sign-in">in</button><button id="renew">renew</button><button id="sign-out">out</button>
<script type="module" src="/program.js"></script></html>`;

const [program] = blocks('frameworks/spa.md', 'js');
const SCRIPTS = {
  '/program.js': program.replace('http://localhost:8080', dev.issuer).replace('app_…', client_id),
  '/oidc-client-ts.js': packaged('oidc-client-ts/dist/esm/oidc-client-ts.js'),
  '/jwt-decode.js': packaged('jwt-decode/build/esm/index.js'),
};

function packaged(path) {
  return readFileSync(new URL(`./node_modules/${path}`, import.meta.url), 'utf8').replace(/^\/\/# sourceMappingURL.*$/m, '');
}

withBrowser();
const server = createServer((request, response) => {
  const script = SCRIPTS[request.url];
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8');
  response.end(script ?? PAGE);
});
before(() => new Promise((resolve) => server.listen(5173, 'localhost', resolve)));
after(() => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }));

const shown = (page, text) => page.waitForFunction((text) => document.querySelector('#person')?.textContent === text, text);

test('a person signs in to a browser application, which renews its tokens and signs out', () =>
  visit(async (page) => {
    await page.goto(HOME);
    await shown(page, 'not signed in');
    await page.click('#sign-in');
    await signIn(page);
    await shown(page, 'Ada Lovelace');
    assert.equal(page.url(), HOME);

    const [renewed] = await Promise.all([page.waitForResponse(`${dev.issuer}/oauth/token`), page.click('#renew')]);
    assert.equal(new URLSearchParams(renewed.request().postData()).get('grant_type'), 'refresh_token');
    assert.equal(renewed.status(), 200);
    await page.reload();
    await shown(page, 'Ada Lovelace');

    await page.click('#sign-out');
    await shown(page, 'not signed in');
    await page.click('#sign-in');
    await page.waitForSelector('#login-submit');
  }));
