// The example in Chromium against the running server (SVC_DEV), whose demo application it is.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { FLAGS, watched } from '../../../test/chromium.js';

const dev = JSON.parse(process.env.SVC_DEV);
const HOME = 'http://localhost:8765/';
const root = fileURLToPath(new URL('..', import.meta.url));
const application = (handle) => dev.clients.find((client) => client.handle === handle);

let browser;
let files;
/** What the next page is built for. */
let setting;
/** Whether the next callback comes from another issuer. */
let mixUp = false;
const server = createServer((request, response) => {
  const url = new URL(request.url, HOME);
  const path = url.pathname;
  if (mixUp && path === '/callback') {
    mixUp = false;
    url.searchParams.set('iss', 'https://evil.example');
    return response.writeHead(302, { location: url.href }).end();
  }
  const file = files.get(path.slice(1)) ?? files.get('index.html');
  const isScript = path.endsWith('.js');
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${dev.issuer}; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self' ${dev.issuer}`);
  return response.end(isScript ? Object.entries(setting).reduce((text, [name, value]) => text.replaceAll(`__${name}__`, value), file) : file);
});

before(async () => {
  const place = (name) => JSON.stringify(`__${name}__`);
  const { output } = await build({
    root,
    logLevel: 'warn',
    define: Object.fromEntries(['ISSUER', 'CLIENT_ID', 'STORAGE', 'DPOP'].map((name) => [`import.meta.env.VITE_SVC_${name}`, place(name)])),
    build: { write: false, modulePreload: { polyfill: false } },
  });
  files = new Map(output.map((file) => [file.fileName, file.code ?? file.source]));
  await new Promise((resolve) => server.listen(8765, 'localhost', resolve));
  browser = await chromium.launch({
    executablePath: process.env.SVC_CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, '--test-third-party-cookie-phaseout'],
  });
});
after(async () => {
  await browser?.close();
  server.close();
  server.closeAllConnections();
});

/** A person with a new profile; every address and word of a page is looked at for secrets. */
async function visit({ handle = 'spa', storage = 'memory', dpop = false }, visitor) {
  setting = { ISSUER: dev.issuer, CLIENT_ID: application(handle).client_id, STORAGE: storage, DPOP: String(dpop) };
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  const { said, keepsSecrets } = watched(context);
  const seen = { renewals: [], frames: 0 };
  context.on('request', (request) => {
    if (request.frame() !== request.frame().page()?.mainFrame()) seen.frames += 1;
    const form = new URLSearchParams(request.postData() ?? '');
    if (form.get('grant_type') === 'refresh_token') seen.renewals.push(request);
  });
  const page = await context.newPage();
  try {
    await visitor(page, context, seen);
    keepsSecrets();
    assert.equal(seen.frames, 0, 'a frame was used');
  } catch (error) {
    error.message += `\n  at ${page.url()}\n  said: ${JSON.stringify(said)}\n  page: ${await page.textContent('body').catch(() => '')}`;
    throw error;
  } finally {
    await context.close();
  }
}

async function fill(page, { username, password } = dev.user) {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#login-submit');
}

async function signIn(page) {
  await page.goto(HOME);
  await page.click('button:text-is("Sign in")');
  await fill(page);
  await isAda(page);
}

const shows = (page, selector, text) => page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent === text, [selector, text]);
const isAda = (page) => shows(page, '#person', 'Ada Lovelace');

/** All tabs ask for a renewal before the first of them has an answer: one that asks later would have another. */
async function renewAtOnce(context, tabs) {
  let answer;
  const asked = new Promise((resolve) => (answer = resolve));
  const hold = (route) => asked.then(() => route.continue());
  await context.route('**/oauth/token', hold);
  await Promise.all(tabs.map((tab) => tab.evaluate(() => document.querySelector('#renew').click())));
  answer();
  await Promise.all(tabs.map((tab) => shows(tab, '#said', 'renewed')));
  await context.unroute('**/oauth/token', hold);
}

describe('the example of React', { concurrency: 1 }, () => {
  for (const dpop of [false, true]) {
    test(`signs in, renews, signs out${dpop ? ', with tokens that are bound to a key' : ''}`, (t) => visit({ dpop }, async (page, context, seen) => {
      await signIn(page);
      assert.equal(page.url(), HOME, 'neither code nor state stays in the address');
      const took = await page.evaluate(() => new Promise((resolve) => {
        const began = performance.now();
        const watch = new MutationObserver(() => document.querySelector('#said').textContent === 'renewed' && resolve(performance.now() - began));
        watch.observe(document.body, { subtree: true, childList: true, characterData: true });
        document.querySelector('#renew').click();
      }));
      const other = await context.newPage();
      await other.goto(HOME);
      await isAda(other);
      const { loaded } = await other.evaluate(() => ({ loaded: performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd }));
      await other.close();
      t.diagnostic(`first load ${loaded.toFixed(0)} ms, renewal ${took.toFixed(0)} ms`);
      assert.equal(seen.renewals.length, 1);
      assert.equal(Boolean(await seen.renewals[0].headerValue('dpop')), dpop);
      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
      assert.equal(kept, '[{},{}]', 'nothing is kept with the storage "memory"');

      await page.click('[aria-label^=Account]');
      // The page says so at once, and then leads to the service and is loaded again.
      await Promise.all([page.waitForEvent('load'), page.click('[role=menuitem]:text-is("Sign out")')]);
      await page.waitForURL(HOME);
      await shows(page, '#status', 'signed-out');
      await page.click('button:text-is("Sign in")');
      await page.waitForSelector('#login-submit');
    }));
  }

  test('is accessible', () => visit({}, async (page) => {
    await signIn(page);
    await page.click('[aria-label^=Account]');
    const { violations } = await page.evaluate(`${axe.source}; axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })`);
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`), []);
  }));

  for (const storage of ['memory', 'local', 'indexeddb']) {
    test(`two tabs with ${storage} make one renewal and sign out together`, () => visit({ storage }, async (page, context, seen) => {
      await signIn(page);
      const other = await context.newPage();
      await other.goto(HOME);
      await isAda(other);
      await renewAtOnce(context, [page, other]);
      assert.equal(seen.renewals.length, 1);
      if (storage === 'indexeddb') {
        const raw = await page.evaluate(() => new Promise((resolve) => {
          const open = indexedDB.open('svc');
          open.onsuccess = () => {
            const all = open.result.transaction('kept').objectStore('kept').getAll();
            all.onsuccess = () => resolve(all.result.map((one) => (one instanceof CryptoKey ? `extractable ${one.extractable}` : Object.keys(one).join())));
          };
        }));
        assert.deepEqual(raw.sort(), ['extractable false', 'iv,data'].sort());
      }
      if (storage !== 'memory') {
        await other.reload();
        await isAda(other);
      }
      await page.click('[aria-label^=Account]');
      await page.click('[role=menuitem]:text-is("Sign out")');
      await shows(other, '#status', 'signed-out');
    }));
  }

  test('twenty tabs make one renewal', () => visit({}, async (page, context, seen) => {
    await signIn(page);
    const others = await Promise.all(Array.from({ length: 19 }, () => context.newPage()));
    for (const other of others) {
      await other.goto(HOME);
      await isAda(other);
    }
    const tabs = [page, ...others];
    await renewAtOnce(context, tabs);
    assert.equal(seen.renewals.length, 1);
  }));

  test('a lost answer is asked for again', () => visit({}, async (page, context, seen) => {
    await signIn(page);
    let lost = 0;
    await page.route('**/oauth/token', async (route) => {
      if ((lost += 1) > 1) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.click('#renew');
    await shows(page, '#said', 'renewed');
    assert.equal(seen.renewals.length, 2);
    await page.unroute('**/oauth/token');
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/oauth/token') && response.status() === 200), page.click('#renew')]);
    assert.equal(seen.renewals.length, 3, 'what was sent again goes on');
    assert.equal(await page.textContent('#status'), 'signed-in');
  }));

  test('another API gets a grant of its own', () => visit({}, async (page) => {
    await signIn(page);
    // The session at the service answers without a page.
    await Promise.all([page.waitForResponse((response) => response.url().endsWith('/oauth/token')), page.click('#notes')]);
    await isAda(page);
    await page.click('#notes');
    await shows(page, '#said', 'has notes');
  }));

  test('signs in by a window of its own', () => visit({}, async (page, context) => {
    await page.goto(HOME);
    const [popup] = await Promise.all([context.waitForEvent('page'), page.click('button.popup')]);
    await fill(popup);
    await isAda(page);
    if (!popup.isClosed()) await popup.waitForEvent('close');
  }));

  test('a refused consent is told by its code', () => visit({ handle: 'third-party' }, async (page) => {
    await page.goto(HOME);
    await page.click('button:text-is("Sign in")');
    await fill(page);
    await page.click('#consent-deny');
    await shows(page, '#said', 'access_denied');
    assert.equal(await page.textContent('#status'), 'signed-out');
    assert.doesNotMatch(page.url(), /error|state/);
  }));

  test('a callback that is opened twice, or without a state, or from another issuer, is refused', () => visit({}, async (page, context) => {
    let back;
    page.on('framenavigated', (frame) => {
      if (frame.url().includes('/callback?')) back = frame.url();
    });
    await signIn(page);
    assert.ok(back);
    const tries = { state_mismatch: back, missing_state: back.replace(/state=[^&]*/, '') };
    await page.goto('about:blank');
    for (const [code, address] of Object.entries(tries)) {
      const other = await context.newPage();
      await other.goto(address);
      await shows(other, '#said', code);
      assert.equal(await other.textContent('#status'), 'signed-out');
      assert.equal(other.url(), `${HOME}callback`, 'the code leaves the address');
      await other.close();
    }
    await page.goto(HOME);
    mixUp = true;
    await page.click('button:text-is("Sign in")');
    await shows(page, '#said', 'issuer_mismatch');
    assert.equal(await page.textContent('#status'), 'signed-out');
  }));

  test('storage that is blocked is said before the browser leaves the page', () => visit({}, async (page) => {
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, name, { get() { throw new DOMException('blocked', 'SecurityError'); } });
      }
    });
    await page.goto(HOME);
    await page.click('button:text-is("Sign in")');
    await shows(page, '#said', 'storage_unavailable');
    assert.equal(page.url(), HOME);
  }));

  test('storage that is full keeps the session in the page', () => visit({ storage: 'local' }, async (page) => {
    await page.addInitScript(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (...kept) {
        if (this === localStorage) throw new DOMException('full', 'QuotaExceededError');
        setItem.apply(this, kept);
      };
    });
    await signIn(page);
    await shows(page, '#said', 'storage_unavailable');
    await page.click('#renew');
    await shows(page, '#said', 'renewed');
  }));
});
