// A person in front of Chromium, for tests against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { dev } from './service.js';

export { dev };

/** Chromium as people have it: Playwright would have frames of other sites share the storage of a site. */
export const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking',
  '--disable-features=DestroyProfileOnBrowserClose,HttpsUpgrades,MediaRouter,OptimizationHints,PaintHolding,PreconnectToSearch,Translate',
];

let browser;

/** Starts Chromium before the tests of the calling file and closes it after them. */
export function withBrowser() {
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.SVC_CHROMIUM ?? '/usr/bin/chromium',
      args: FLAGS,
    });
  });
  after(() => browser?.close());
}

/** The browser that `withBrowser` started. */
export const chromiumOf = () => browser;

/** Looks at every address and word of the pages of a profile; gives what fails where one of them has a token. */
export function watched(context) {
  const [secrets, addresses, said] = [new Set(), [], []];
  context.on('request', (request) => addresses.push(request.url()));
  context.on('console', (message) => said.push(message.text()));
  context.on('weberror', (error) => said.push(String(error.error())));
  context.on('response', async (response) => {
    if (!response.url().endsWith('/oauth/token') || response.request().method() !== 'POST') return;
    const tokens = await response.json().catch(() => ({}));
    for (const name of ['access_token', 'refresh_token', 'id_token']) if (tokens[name]) secrets.add(tokens[name]);
  });
  const keepsSecrets = () => {
    // The address that ends the session at the service has the ID token, by which the service knows whose it is.
    const ends = `${dev.issuer}/oauth/end-session?`;
    const judged = addresses.map((address) => (address.startsWith(ends) ? address.replace(/id_token_hint=[^&]*/, '') : address));
    for (const text of [...judged, ...said]) {
      assert.ok(![...secrets].some((secret) => text.includes(secret)), 'a token in an address or in the console');
      assert.doesNotMatch(text, /eyJ[\w-]+\.eyJ/, 'a signed token in an address or in the console');
    }
  };
  return { said, keepsSecrets };
}

/** Runs with the page of a new profile. */
export async function visit(visitor) {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
  context.setDefaultTimeout(15_000);
  const { keepsSecrets } = watched(context);
  const page = await context.newPage();
  try {
    const seen = await visitor(page, context);
    keepsSecrets();
    return seen;
  } catch (error) {
    error.message += `\n  at ${page.url()}\n  page: ${await page.textContent('body').catch(() => '')}`;
    throw error;
  } finally {
    await context.close();
  }
}

/** Fills the sign-in page and sends it. */
export async function signIn(page, { username, password } = dev.user) {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#login-submit');
}

/** Decides on the consent page, if that is where the browser is. */
export async function consent(page, decision) {
  await page.waitForLoadState();
  if (await page.isVisible(`#consent-${decision}`)) await page.click(`#consent-${decision}`);
}

/** Gives a person a passkey of this browser, and leaves the account again. Gives what has the key answer, or be silent. */
export async function passkey(page, who) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable', { enableUI: false });
  const options = {
    protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options });
  await page.goto(`${dev.issuer}/account/passkeys`);
  await signIn(page, who);
  // The button needs the script of its page.
  await page.waitForLoadState();
  await page.click('#passkey-add');
  await page.waitForSelector('#notice');
  await page.context().clearCookies();
  const answers = (enabled) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  await answers(false);
  return answers;
}

/** Runs with a frame of an address in a page of another site, and with the messages that this page hears. */
export async function embedded(page, address, visitor) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<script>heard = []; addEventListener('message', ({ data }) => heard.push(data))</script><iframe src="${address}" width="800" height="600"></iframe>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await visitor(page.frames()[1], () => page.evaluate('heard'));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
