// The example's main process, preload script and page against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { register } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiumOf, consent, dev, passkey, signIn, visit, withBrowser } from '../../../test/chromium.js';
import { application, endSessions, person } from '../../../test/service.js';
import { shows } from '../../spa.js';
import electron, { around } from './electron.js';

const { safeStorage } = electron;
withBrowser();
let auth;
let window;
/** What a person does in the browser of the system. */
const browse = (visitor) => (around.browse = visitor);
const asks = (page, who, decision = 'allow') => browse(async (url) => {
  await page.goto(url);
  if (await page.isVisible('#login-submit')) await signIn(page, who);
  await consent(page, decision);
});

describe('the example of Electron', () => {
  before(async () => {
    const native = await application({
      name: 'The example of Electron', type: 'native', token_endpoint_auth_method: 'none', scope: 'openid profile email offline_access',
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    Object.assign(process.env, { SVC_ISSUER: dev.issuer, SVC_CLIENT_ID: native.client_id });
    const resolve = `export const resolve = (name, context, next) =>
      name === 'electron' ? { url: '${new URL('electron.js', import.meta.url)}', shortCircuit: true } : next(name, context);`;
    register(`data:text/javascript,${encodeURIComponent(resolve)}`);
    around.browser = chromiumOf();
    ({ auth } = await import('../main.js'));
    [window] = around.windows;
    await shows(window, '#status', 'signed-out');
  });
  after(async () => {
    auth?.dispose();
    await rm(around.folder, { recursive: true });
  });

  test('sign-in, renewal, sign-out, and the windows know no token', () => visit(async (page) => {
    asks(page);
    await window.click('#sign-in');
    await shows(window, '#person', 'Ada Lovelace');
    await page.getByText('go back to the application').waitFor();
    const first = await auth.client.getAccessToken();
    assert.notEqual(await auth.client.getAccessToken({ force: true }), first);
    await knowsNoToken(window);
    assert.doesNotMatch(await readFile(join(around.folder, 'session'), 'utf8'), /eyJ/);
    await window.click('#sign-out');
    await shows(window, '#status', 'signed-out');
    await assert.rejects(readFile(join(around.folder, 'session')), { code: 'ENOENT' });
  }));

  test('a second window has the same session, a sign-out in one shows in the other, and neither knows a token', () => visit(async (page) => {
    await around.startAgain();
    const second = around.windows.at(-1);
    assert.notEqual(second, window);
    const both = (selector, text) => Promise.all([window, second].map((one) => shows(one, selector, text)));
    await both('#status', 'signed-out');
    asks(page);
    await window.click('#sign-in');
    await both('#person', 'Ada Lovelace');
    assert.ok(await auth.client.getAccessToken({ force: true }));
    await both('#status', 'signed-in');
    for (const one of [window, second]) await knowsNoToken(one);
    await second.click('#sign-out');
    await both('#status', 'signed-out');
    // What happens after a window was closed is said to those that are left.
    await second.context().close();
    await window.click('#sign-in');
    await shows(window, '#person', 'Ada Lovelace');
    await window.click('#sign-out');
    await shows(window, '#status', 'signed-out');
  }));

  test('step-up, another organization, the end of the session elsewhere', () => visit(async (page) => {
    const grace = await person(['Initech', 'Hooli']);
    const answers = await passkey(page, grace);
    asks(page, grace);
    await window.click('#sign-in');
    await shows(window, '#acr', 'urn:svc:aal1');
    browse(async (url) => {
      await page.goto(url);
      await page.waitForSelector('#passkey-submit');
      await answers(true);
      await page.click('#passkey-submit');
      await page.waitForLoadState();
      await consent(page, 'allow');
    });
    await window.click('#step-up');
    await shows(window, '#acr', 'urn:svc:aal2');
    for (const slug of grace.organizations) {
      await window.evaluate((slug) => window.svc.switchOrganization(slug), slug);
      await shows(window, '#organization', slug);
    }
    await endSessions(grace);
    await assert.rejects(auth.client.getAccessToken({ force: true }), { code: 'session_ended' });
    await shows(window, '#status', 'signed-out');
    await shows(window, '#said', 'session_ended');
  }));

  test('a refused consent, a window that is closed and asked for again, a page of elsewhere', () => visit(async (page) => {
    asks(page, await person(), 'deny');
    await window.click('#sign-in');
    await shows(window, '#said', 'svc: access_denied');
    const opened = new Promise((resolve) => browse(async () => resolve()));
    const given = window.evaluate(() => window.svc.login().catch(({ message }) => message));
    await opened;
    asks(page);
    await page.context().clearCookies();
    await window.click('#sign-in');
    assert.equal(await given, 'svc: cancelled');
    await shows(window, '#person', 'Ada Lovelace');
    await window.route('http://elsewhere.example/', (route) => route.fulfill({ contentType: 'text/html', body: '<p>elsewhere' }));
    await window.goto('http://elsewhere.example/');
    assert.equal(await window.evaluate(() => window.svc.state().catch(({ message }) => message)), 'svc: forbidden');
    await auth.client.logout();
  }));
});

/** Neither what the page can reach nor what the main process said has a token of the session. */
async function knowsNoToken(one) {
  const reached = await one.evaluate(async () => JSON.stringify([await window.svc.state(), { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]));
  const all = reached + around.heard.join();
  const { idToken, grants } = JSON.parse(safeStorage.decryptString(await readFile(join(around.folder, 'session'))));
  const secrets = [idToken, ...Object.values(grants).flatMap(({ refresh, tokens }) => [refresh, ...Object.values(tokens).map(({ token }) => token)])];
  assert.ok(secrets.length > 2 && secrets.every(Boolean));
  assert.ok(!secrets.some((secret) => all.includes(secret)));
  assert.doesNotMatch(all, /eyJ/);
}
