// Signing in with an account at another provider, which is a second instance of the service on a host of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, signIn, visit, withApplication, withBrowser } from './browser.js';

const hedy = JSON.parse(process.env.SVC_ELSEWHERE);
const application = client(isFirstParty);
withBrowser();
withApplication(application);

/** Signs Hedy in at the provider before she comes to us. */
async function signInElsewhere(page) {
  await page.goto(authorizeUrl(application));
  await page.click('#social-elsewhere');
  await page.waitForSelector('#login-submit');
  const provider = new URL(page.url()).origin;
  assert.notEqual(provider, dev.issuer);
  await page.goto(`${provider}/account`);
  await signIn(page, hedy);
  await page.waitForSelector('.centre-section');
}

/** From our sign-in page to the provider. */
async function toProvider(page, changes) {
  await page.goto(authorizeUrl(application, changes));
  await page.click('#social-elsewhere');
}

/** Back at the application, with a code. */
async function isBack(page) {
  await page.waitForSelector('#back');
  assert.ok(new URL(page.url()).searchParams.get('code'), page.url());
}

test('a person registers with an account elsewhere, and is signed in by it from then on', () =>
  visit(async (page) => {
    await signInElsewhere(page);
    await toProvider(page, {});
    await isBack(page);
    await page.goto(`${dev.issuer}/account`);
    assert.ok((await page.innerText('.centre-section')).includes('Hedy Lamarr'));
    // The session that is open there is no fresh sign-in.
    await toProvider(page, { prompt: 'login' });
    await page.waitForURL((url) => url.origin !== new URL(dev.issuer).origin);
    await page.waitForSelector('#login-submit');
    await signIn(page, hedy);
    await isBack(page);
  }));

for (const javaScriptEnabled of [true, false]) {
  test(`a password typed at the provider leads through us to the application, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application, { prompt: 'login' }));
      await page.click('#social-elsewhere');
      await page.waitForSelector('#login-submit');
      await signIn(page, hedy);
      await isBack(page);
    }, { javaScriptEnabled }));
}

test('an account elsewhere opens one account here', () =>
  visit(async (page) => {
    await signInElsewhere(page);
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await page.waitForSelector('#back');
    await page.goto(`${dev.issuer}/account/identities`);
    await page.waitForSelector('#identities-none');
    await page.click('#identity-add-elsewhere');
    await page.waitForSelector('#notice');
    assert.ok((await page.innerText('#notice')).startsWith('That account is already connected'));
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of accounts elsewhere, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.waitForSelector('#social-elsewhere');
      await lookAt(page, 'sign-in-elsewhere', look);
      await signInElsewhere(page);
      await toProvider(page, {});
      await isBack(page);
      await page.goto(`${dev.issuer}/account/identities`);
      await page.waitForSelector('#identity-remove-0');
      await lookAt(page, 'account-identities', look);
    }, options));
}
