// What the examples with a server do alike, as their frameworks build them, in Chromium against the running server (SVC_DEV).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { consent, dev, embedded, passkey, signIn, visit, withBrowser } from '../test/chromium.js';
import { person } from '../test/service.js';
import { start } from './running.js';

/** Builds an example with `build`, starts it with what `command` gives for a port, and looks at everything that it does. */
export function tests(name, folder, build, command) {
  withBrowser();
  let example;
  before(async () => (example = await start(name, folder, build, command)));
  after(() => example?.stop());

  test(`${name}: sign-in, an API, another tab, sign-out`, () => visit((page, context) => signsInAndOut(example.home, page, context)));
  test(`${name}: cookies that were changed, and a sign-out elsewhere`, () => visit((page, context) => endsElsewhere(example.home, page, context)));
  test(`${name}: step-up, and another organization`, () => visit((page) => stepsUp(example.home, page)));
  test(`${name}: a refused consent, a sign-in that has expired, a way to another site`, () => visit((page) => refuses(example, page)));
  test(`${name}: a page of another site that embeds it has no session there`, () => visit((page, context) => isEmbedded(example.home, page, context)));
  test(`${name}: the API refuses what is no token, and sign-out what comes from elsewhere`, () => refusals(example.home));
  test(`${name}: two tabs renew an access token that ends`, () => visit((page, context) => renews(example, page, context)));
  test(`${name}: nothing that it printed has a token`, () => assert.doesNotMatch(example.said(), /eyJ|svc-session/));
  return () => example.home;
}

async function signsInAndOut(home, page, context) {
  await page.goto(`${home}/account`);
  await signIn(page);
  await consent(page, 'allow');
  await page.waitForURL(`${home}/account`);
  const sub = await page.textContent('#person');
  assert.equal(await page.textContent('#notes'), `a note of ${sub}`);

  const cookies = await context.cookies(home);
  const session = cookies.find(({ name }) => name.includes('svc-session.0'));
  assert.deepEqual([session.httpOnly, session.sameSite, session.path], [true, 'Lax', '/']);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
  assert.doesNotMatch(stored, /svc-session|eyJ/, 'scripts see neither cookies nor tokens');
  assert.doesNotMatch(await page.content(), /eyJ/, 'pages have no tokens');
  assert.equal((await known(page)).sub, sub);

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
}

async function endsElsewhere(home, page, context) {
  await page.goto(home);
  await page.click('#sign-in');
  await signIn(page);
  await consent(page, 'allow');
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
}

async function stepsUp(home, page) {
  const grace = await person(['Initech', 'Hooli']);
  const answers = await passkey(page, grace);
  await page.goto(`${home}/account`);
  await signIn(page, grace);
  await consent(page, 'allow');
  await page.waitForURL(`${home}/account`);
  assert.equal((await known(page)).claims.acr, 'urn:svc:aal1');

  await page.goto(`${home}/auth/login?acr_values=urn:svc:aal2&returnTo=/account`);
  await page.waitForSelector('#passkey-submit');
  await answers(true);
  await page.click('#passkey-submit');
  await page.waitForURL(`${home}/account`);
  assert.equal((await known(page)).claims.acr, 'urn:svc:aal2');

  for (const slug of grace.organizations) {
    await page.goto(`${home}/auth/login?organization=${slug}&returnTo=/account`);
    await consent(page, 'allow');
    await page.waitForURL(`${home}/account`);
    assert.equal((await known(page)).claims.org.slug, slug);
  }
}

async function refuses({ home, pass }, page) {
  const code = () => page.getAttribute('#svc-error', 'data-code');
  await page.goto(`${home}/auth/login?prompt=none`);
  assert.equal(await code(), 'login_required');
  await page.goto(`${home}/auth/callback?code=made-up&state=made-up&iss=${encodeURIComponent(dev.issuer)}`);
  assert.equal(await code(), 'login_expired');
  assert.doesNotMatch(await page.content(), /made-up/);
  await page.goto(`${home}/auth/login?prompt=consent`);
  await signIn(page);
  await page.click('#consent-deny');
  assert.equal(await code(), 'access_denied');
  // The person comes back after half an hour, twice as long as a sign-in lasts.
  await page.goto(`${home}/auth/login?prompt=consent`);
  await page.waitForSelector('#consent-allow');
  await pass();
  await pass();
  await page.click('#consent-allow');
  assert.equal(await code(), 'login_expired');
  await page.goto(`${home}/auth/login?returnTo=${encodeURIComponent('//evil.example/')}`);
  await consent(page, 'allow');
  await page.waitForURL(`${home}/`);
}

async function isEmbedded(home, page, context) {
  await page.goto(`${home}/account`);
  await signIn(page);
  await consent(page, 'allow');
  await page.waitForURL(`${home}/account`);
  await embedded(await context.newPage(), home, async (frame, heard) => {
    await frame.waitForSelector('#sign-in');
    assert.equal(await frame.isVisible('#person'), false);
    assert.deepEqual(await heard(), []);
  });
}

async function refusals(home) {
  const without = await fetch(`${home}/api/notes`);
  assert.equal(without.status, 401);
  assert.match(without.headers.get('www-authenticate'), /^Bearer scope="notes:read"/);
  const bad = await fetch(`${home}/api/notes`, { headers: { authorization: 'Bearer made.up.token' } });
  assert.equal(bad.status, 401);
  assert.equal((await bad.json()).error, 'invalid_token');
  const stranger = await fetch(`${home}/auth/logout`, { method: 'POST', headers: { origin: 'https://evil.example' } });
  assert.equal(stranger.status, 403);
}

/** Two tabs find the access token ending, and both have data again with a new one. */
async function renews({ home, pass }, page, context) {
  await page.goto(`${home}/account`);
  await signIn(page);
  await consent(page, 'allow');
  await page.waitForURL(`${home}/account`);
  const second = await context.newPage();
  const sealed = async () => (await context.cookies(home)).find(({ name }) => name.includes('svc-session.0')).value;
  const before = await sealed();
  await pass();
  await Promise.all([page.reload(), second.goto(`${home}/account`)]);
  for (const tab of [page, second]) assert.match(await tab.textContent('#notes'), /^a note of /);
  assert.notEqual(await sealed(), before);
}

/** What scripts of the page may know of the session. */
async function known(page) {
  return (await page.evaluate(async () => (await fetch('/auth/session')).json())).session;
}
