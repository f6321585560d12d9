// What the tests of the examples share: the development server (SVC_DEV), an application of their own there, the example on a free
// port, and Chromium.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** The line that `svc-runtime dev --json` printed. */
export const dev = process.env.SVC_DEV && JSON.parse(process.env.SVC_DEV);

/** Builds an example with `build` and starts it with what `command` gives for a port; gives its address, and what stops it. */
export async function start(name, cwd, build, command) {
  // SVC_BUILT=1 saves the time where nothing has changed.
  if (!process.env.SVC_BUILT) await run(build, cwd);
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const application = await register({
    client_name: name,
    redirect_uris: [`${home}/auth/callback`],
    post_logout_redirect_uris: [`${home}/`],
    backchannel_logout_uri: `${home}/auth/backchannel-logout`,
    scope: 'openid profile email offline_access notes:read',
  });
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    SVC_ISSUER: dev.issuer,
    SVC_TENANT_ID: dev.tenant_id,
    SVC_CLIENT_ID: application.client_id,
    SVC_CLIENT_SECRET: application.client_secret,
    SVC_COOKIE_SECRET: randomBytes(32).toString('base64'),
    SVC_REDIRECT_URI: `${home}/auth/callback`,
    PORT: String(port),
    HOST: 'localhost',
    ORIGIN: home,
    NEXT_TELEMETRY_DISABLED: '1',
  };
  let said = '';
  const child = spawn(process.execPath, command(port), { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  for (let turn = 0; ; turn += 1) {
    if (child.exitCode !== null || turn > 300) throw new Error(`${name} did not start: ${said}`);
    const answers = await fetch(home, { redirect: 'manual' }).then((reply) => reply.status < 500, () => false);
    if (answers) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { home, stop, said: () => said };
}

/** A person with a new browser profile. */
export async function withBrowser(visit) {
  const browser = await chromium.launch({
    executablePath: process.env.SVC_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    const context = await browser.newContext({ locale: 'en-GB' });
    context.setDefaultTimeout(20_000);
    await visit(await context.newPage(), context);
  } finally {
    await browser.close();
  }
}

/** Signs in on the pages of the service, and consents where they ask. */
export async function signIn(page, { username, password } = dev.user) {
  await page.fill('#username', username);
  await page.fill('#password', password);
  await page.click('#login-submit');
  await consent(page, 'allow');
}

/** Decides on the consent page, if that is where the browser is. */
export async function consent(page, decision) {
  await page.waitForLoadState();
  if (await page.isVisible(`#consent-${decision}`)) await page.click(`#consent-${decision}`);
}

/** The way that every example has: sign-in, a protected page with data of an API, tampering, sign-out here and elsewhere. */
export async function wholeWay(home) {
  await withBrowser(async (page, context) => {
    await page.goto(`${home}/account`);
    await signIn(page);
    await page.waitForURL(`${home}/account`);
    const sub = await page.textContent('#person');
    assert.equal(await page.textContent('#notes'), `a note of ${sub}`);

    const cookies = await context.cookies(home);
    const session = cookies.find(({ name }) => name.includes('svc-session.0'));
    assert.deepEqual([session.httpOnly, session.sameSite, session.path], [true, 'Lax', '/']);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
    assert.doesNotMatch(stored, /svc-session|eyJ/, 'scripts see neither cookies nor tokens');
    assert.doesNotMatch(await page.content(), /eyJ/, 'pages have no tokens');
    const known = await page.evaluate(async () => (await fetch('/auth/session')).json());
    assert.equal(known.session.sub, sub);

    const second = await context.newPage();
    await second.goto(home);
    assert.equal(await second.textContent('#person'), sub, 'another tab knows the person');

    await page.click('#sign-out');
    await page.waitForURL(`${home}/`);
    await page.waitForSelector('#sign-in');
    await second.goto(`${home}/account`);
    await second.waitForSelector('#login-submit');

    // Cookies of before are of no use after the sign-out.
    await context.addCookies(cookies);
    await page.goto(home);
    await page.waitForSelector('#sign-in');
  });
  await withBrowser(async (page, context) => {
    await page.goto(home);
    await page.click('#sign-in');
    await signIn(page);
    await page.waitForURL(`${home}/account`);
    const cookies = await context.cookies(home);
    const changed = (value) => `${value.slice(0, 300)}${value[300] === 'x' ? 'y' : 'x'}${value.slice(301)}`;
    const sealed = cookies.filter(({ name }) => name.includes('svc-session'));
    await context.addCookies(sealed.map((cookie) => ({ ...cookie, value: changed(cookie.value) })));
    await page.goto(home);
    await page.waitForSelector('#sign-in');
    await context.addCookies(cookies);
    await page.goto(home);
    await page.waitForSelector('#person');

    // The person signs out at the service, in another tab.
    const elsewhere = await context.newPage();
    await elsewhere.goto(`${dev.issuer}/oauth/end-session`);
    await elsewhere.click('#logout-confirm');
    await elsewhere.waitForLoadState();
    for (let turn = 0; ; turn += 1) {
      await page.goto(home);
      if (await page.isVisible('#sign-in')) break;
      assert.ok(turn < 50, 'the back-channel logout did not arrive');
      await page.waitForTimeout(200);
    }
  });
  await withBrowser(async (page) => {
    await page.goto(`${home}/auth/login?prompt=none`);
    // The service says so before it sends the browser with an error to an application that registered itself.
    await page.click('#leave-link');
    assert.equal(await page.getAttribute('#svc-error', 'data-code'), 'login_required');
    await page.goto(`${home}/auth/callback?code=made-up&state=made-up&iss=${encodeURIComponent(dev.issuer)}`);
    assert.equal(await page.getAttribute('#svc-error', 'data-code'), 'login_expired');
    assert.doesNotMatch(await page.content(), /made-up/);
    await page.goto(`${home}/auth/login?prompt=consent`);
    await page.fill('#username', dev.user.username);
    await page.fill('#password', dev.user.password);
    await page.click('#login-submit');
    await page.click('#consent-deny');
    await page.waitForSelector('#leave-link, #svc-error');
    if (await page.isVisible('#leave-link')) await page.click('#leave-link');
    assert.equal(await page.getAttribute('#svc-error', 'data-code'), 'access_denied');
    await page.goto(`${home}/auth/login?returnTo=${encodeURIComponent('//evil.example/')}`);
    await consent(page, 'allow');
    await page.waitForURL(`${home}/`);
  });
}

/** Whether the server's access tokens last a minute (SVC_JWT__ACCESS_TOKEN_LIFETIME_HUMAN_SECS=60), as `renewal` needs it. */
export const isHasty = process.env.SVC_TOKENS_OF_A_MINUTE === '1';

/** Two tabs find the access token ending, and both have data again; and once more with what was renewed. */
export async function renewal(home) {
  await withBrowser(async (page, context) => {
    await page.goto(`${home}/account`);
    await signIn(page);
    await page.waitForURL(`${home}/account`);
    const second = await context.newPage();
    for (let turn = 0; turn < 2; turn += 1) {
      const sealed = async () => (await context.cookies(home)).find(({ name }) => name.includes('svc-session.0')).value;
      const before = await sealed();
      await page.waitForTimeout(32_000);
      await Promise.all([page.reload(), second.goto(`${home}/account`)]);
      for (const tab of [page, second]) assert.match(await tab.textContent('#notes'), /^a note of /);
      assert.notEqual(await sealed(), before);
    }
  });
}

/** The API of an example, without a token and with one that is none. */
export async function refusals(home) {
  const without = await fetch(`${home}/api/notes`);
  assert.equal(without.status, 401);
  assert.match(without.headers.get('www-authenticate'), /^Bearer scope="notes:read"/);
  const bad = await fetch(`${home}/api/notes`, { headers: { authorization: 'Bearer made.up.token' } });
  assert.equal(bad.status, 401);
  assert.equal((await bad.json()).error, 'invalid_token');
  const stranger = await fetch(`${home}/auth/logout`, { method: 'POST', headers: { origin: 'https://evil.example' } });
  assert.equal(stranger.status, 403);
}

async function run(command, cwd) {
  const env = { ...process.env, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const [status] = await once(child, 'exit');
  assert.equal(status, 0, said);
}

/** The program of a package, found from a file. */
export function program(from, path) {
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(path);
  const folders = createRequire(from).resolve.paths(name);
  const found = folders.map((folder) => join(folder, path)).find((file) => existsSync(file));
  assert.ok(found, `${path} is not installed`);
  return found;
}

async function register(metadata) {
  const body = JSON.stringify({ token_endpoint_auth_method: 'client_secret_basic', grant_types: ['authorization_code', 'refresh_token'], ...metadata });
  const reply = await fetch(`${dev.issuer}/oauth/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(reply.status, 201, await reply.clone().text());
  return reply.json();
}

async function freePort() {
  const server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
