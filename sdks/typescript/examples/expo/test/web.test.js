// The example's web target in Chromium against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dev, passkey, signIn, visit, withBrowser } from '../../../test/chromium.js';
import { application, endSessions, person } from '../../../test/service.js';
import { run } from '../../running.js';

const folder = fileURLToPath(new URL('..', import.meta.url));
const EXPO = join(folder, 'node_modules', 'expo', 'bin', 'cli');
const skip = existsSync(EXPO) ? false : 'the packages of Expo are not installed: npm ci in examples/expo';

withBrowser();
describe('the example of Expo on the web', { skip }, () => {
  let files = new Map();
  /** What the next page is for: the application of the tenant itself or of a third party, and the person's organizations. */
  const now = { client: '', organizations: '' };
  const clients = {};
  let home;
  let out;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, home);
    const file = files.get(pathname);
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html; charset=utf-8');
    const text = String(file ?? files.get('/index.html'));
    response.end(text.replaceAll('__CLIENT_ID__', now.client).replaceAll('__ORGANIZATIONS__', now.organizations));
  });
  before(async () => {
    await new Promise((resolve) => server.listen(0, 'localhost', resolve));
    home = `http://localhost:${server.address().port}/`;
    const metadata = {
      name: 'The example of Expo', type: 'spa', token_endpoint_auth_method: 'none', scope: 'openid profile email offline_access',
      redirect_uris: [`${home}callback`], allowed_origins: [home.slice(0, -1)],
    };
    clients.first = (await application({ ...metadata, first_party: true })).client_id;
    clients.third = (await application(metadata)).client_id;
    out = await mkdtemp(join(tmpdir(), 'svc-expo-'));
    Object.assign(process.env, {
      EXPO_PUBLIC_SVC_ISSUER: dev.issuer, EXPO_PUBLIC_SVC_WEB_CLIENT_ID: '__CLIENT_ID__', EXPO_PUBLIC_ORGANIZATIONS: '__ORGANIZATIONS__', EXPO_OFFLINE: '1', CI: '1',
    });
    // What an earlier run had put into the scripts is not to be found again.
    await run([EXPO, 'export', '--platform', 'web', '--clear', '--output-dir', out], folder);
    const made = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    files = new Map(await Promise.all(made.map(async ({ parentPath, name }) => [`/${relative(out, join(parentPath, name))}`, await readFile(join(parentPath, name))])));
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    if (out) await rm(out, { recursive: true });
  });

  /** As a person with a new profile meets the application. */
  const meet = (visitor, kind = 'first') => visit((page, context) => {
    Object.assign(now, { client: clients[kind], organizations: '' });
    return visitor(page, context);
  });

  test('sign-in, renewal, step-up, another organization, the end of the session elsewhere', () => meet(async (page) => {
    const grace = await person(['Initech', 'Hooli']);
    now.organizations = grace.organizations.join();
    const answers = await passkey(page, grace);
    await page.goto(home);
    await shows(page, 'status', 'signed-out');
    await press(page, 'sign-in');
    await signIn(page, grace);
    await shows(page, 'person', 'Grace Hopper');
    await shows(page, 'acr', 'urn:svc:aal1');
    assert.equal(page.url(), home);
    await press(page, 'renew');
    await shows(page, 'said', 'renewed');
    await press(page, 'step-up');
    await page.waitForSelector('#passkey-submit');
    // The button needs the script of its page.
    await page.waitForLoadState();
    await answers(true);
    await page.click('#passkey-submit');
    await shows(page, 'acr', 'urn:svc:aal2');
    for (const slug of [...grace.organizations, grace.organizations[0]]) {
      await press(page, slug);
      await shows(page, 'organization', slug);
    }
    await endSessions(grace);
    await press(page, 'renew');
    await shows(page, 'status', 'signed-out');
  }));

  test('a refused consent, and an answer that comes too late', () => meet(async (page, context) => {
    await page.goto(home);
    await press(page, 'sign-in');
    await signIn(page);
    await page.click('#consent-deny');
    await shows(page, 'said', 'access_denied');
    await shows(page, 'status', 'signed-out');
    let back;
    page.on('request', (request) => {
      if (request.url().startsWith(`${home}callback?`)) back = request.url();
    });
    await page.goto(home);
    await press(page, 'sign-in');
    await page.click('#consent-allow');
    await shows(page, 'status', 'signed-in');
    // What the browser keeps of a sign-in ends with its tab.
    const late = await context.newPage();
    await late.goto(back);
    await shows(late, 'said', 'state_mismatch');
    assert.equal(late.url(), `${home}callback`, 'the code leaves the address');
  }, 'third'));

  test('two tabs sign out together', () => meet(async (page, context) => {
    await page.goto(home);
    await press(page, 'sign-in');
    await signIn(page);
    await shows(page, 'person', 'Ada Lovelace');
    const other = await context.newPage();
    await other.goto(home);
    await shows(other, 'person', 'Ada Lovelace');
    await press(other, 'sign-out');
    await shows(page, 'status', 'signed-out');
  }));
});

const press = (page, id) => page.click(`[data-testid=${id}]`);
const shows = (page, id, text) => page.waitForFunction(([id, text]) => document.querySelector(`[data-testid=${id}]`)?.textContent === text, [id, text]);
