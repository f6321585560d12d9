// Guests: they go on without saying who they are, and keep the account and its subject when they say it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, lookAt, looks, mailTo, signIn, visit, withApplication, withBrowser } from './browser.js';
import { makeKnown, tokens } from './people.js';

const application = client(isFirstParty);
withBrowser();
withApplication(application);

/** What the application learns of the guest who begins here. A browser that is not known has to work before. */
async function begin(page) {
  await page.goto(authorizeUrl(application, { prompt: 'login' }));
  await page.click('#anonymous-submit');
  await page.locator('#back, #form-error').waitFor();
  if (await page.isVisible('#form-error')) await page.click('#anonymous-submit');
  return tokens(page, application);
}

/** Asks for the mail that keeps the account; the link in it. */
async function askToKeep(page, email) {
  await page.goto(`${dev.issuer}/account`);
  assert.equal(await page.innerText('h1'), 'Keep your account');
  await page.fill('#email', email);
  await page.click('#keep-submit');
  return (await mailTo(email)).links[0];
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  test(`a guest keeps the account, and the application knows no other subject, ${how}`, async () => {
    const person = { username: `guest-${javaScriptEnabled}@example.com`, password: 'a name for the visitor' };
    let guest;
    await visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, dev.user);
      guest = await begin(page);
      assert.equal(guest.access.subject_type, 'anonymous');
      for (const claim of ['acr', 'amr', 'email', 'name']) assert.equal(guest.id[claim], undefined, claim);
      const again = await begin(page);
      assert.equal(again.id.sub, guest.id.sub, 'a second tab goes on as the same guest');
      await page.goto(await askToKeep(page, person.username));
      await page.fill('#name', 'Katherine Johnson');
      await page.fill('#password', person.password);
      await page.click('#verify-submit');
      await page.waitForSelector('#verify-submit', { state: 'detached' });
      await page.goto(authorizeUrl(application, { prompt: 'none' }));
      const kept = await tokens(page, application);
      assert.deepEqual([kept.id.sub, kept.id.email], [guest.id.sub, person.username]);
      assert.equal(kept.access.subject_type, 'human');
    }, { javaScriptEnabled });
    await visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page, person);
      assert.equal((await tokens(page, application)).id.sub, guest.id.sub);
    }, { javaScriptEnabled });
  });
}

test('the link that keeps the account works in the browser of the guest alone', () =>
  visit(async (page) => {
    await begin(page);
    const link = await askToKeep(page, 'guest-elsewhere@example.com');
    await visit(async (other) => {
      await other.goto(link);
      assert.equal(await other.innerText('h1'), 'Open the link in the browser you used');
    });
    await page.goto(link);
    assert.ok(await page.isVisible('#verify-submit'));
  }));

test('where two factors are asked for, no one goes on as a guest', () =>
  visit(async (page) => {
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:svc:aal2' } } });
    await page.goto(authorizeUrl(application, { claims }));
    await page.waitForSelector('#password');
    assert.equal(await page.locator('#anonymous-submit').count(), 0);
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of guests, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.waitForSelector('#anonymous-submit');
      await lookAt(page, 'sign-in-guest', look);
      await begin(page);
      await page.goto(`${dev.issuer}/account`);
      await page.waitForSelector('#keep-submit');
      await lookAt(page, 'account-keep', look);
    }, options));
}
