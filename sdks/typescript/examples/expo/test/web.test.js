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
  let home;
  let out;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, home);
    const file = files.get(pathname);
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(file ?? files.get('/index.html'));
  });
  before(async () => {
    await new Promise((resolve) => server.listen(0, 'localhost', resolve));
    home = `http://localhost:${server.address().port}/`;
    const { client_id } = await application({
      name: 'The example of Expo', type: 'spa', token_endpoint_auth_method: 'none', scope: 'openid profile email offline_access', first_party: true,
      redirect_uris: [`${home}callback`], allowed_origins: [home.slice(0, -1)],
    });
    out = await mkdtemp(join(tmpdir(), 'svc-expo-'));
    Object.assign(process.env, { EXPO_PUBLIC_SVC_ISSUER: dev.issuer, EXPO_PUBLIC_SVC_WEB_CLIENT_ID: client_id, EXPO_OFFLINE: '1', CI: '1' });
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

  test('sign-in, renewal, step-up, the end of the session elsewhere', () => visit(async (page) => {
    const grace = await person();
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
    await answers(true);
    await page.click('#passkey-submit');
    await shows(page, 'acr', 'urn:svc:aal2');
    await endSessions(grace);
    await press(page, 'renew');
    await shows(page, 'status', 'signed-out');
  }));

  test('two tabs sign out together', () => visit(async (page, context) => {
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
