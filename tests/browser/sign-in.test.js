// Signing in and out with the demo application.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
withBrowser();
withApplication(application);

test('a person signs in from the demo application and sees verified claims', () =>
  visit(async (page) => {
    await page.goto(`${dev.issuer}/dev`);
    await page.click('#dev-sign-in');
    await signIn(page);
    const claims = await page.textContent('#claims');
    assert.match(claims, /sub/);
    assert.ok(claims.includes(dev.issuer), claims);
  }));

test('a signed-in person is not asked again, and after signing out is asked', () =>
  visit(async (page) => {
    await page.goto(`${dev.issuer}/dev`);
    await page.click('#dev-sign-in');
    await signIn(page);
    await page.waitForSelector('#claims');
    await page.goto(authorizeUrl(application));
    assert.ok((await returned(page)).code);

    await page.goto(`${dev.issuer}/dev`);
    if (!(await page.isVisible('#dev-sign-out'))) await page.click('#dev-sign-in');
    await page.click('#dev-sign-out');
    await page.waitForLoadState();
    if (await page.isVisible('#logout-confirm')) await page.click('#logout-confirm');
    await page.goto(authorizeUrl(application));
    await page.waitForSelector('#password');
  }));

test('a wrong password and an unknown person get the same page', async () => {
  const seen = [];
  for (const username of [dev.user.username, 'nobody-of-this-name@example.com']) {
    await visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.fill('#username', username);
      await page.fill('#password', 'not the password of anybody');
      const answer = page.waitForResponse((response) => response.url().endsWith('/auth/sign-in'));
      await page.click('#login-submit');
      const status = (await answer).status();
      await page.waitForSelector('[role=alert]');
      assert.equal(await page.inputValue('#password'), '');
      seen.push({ status, text: await page.innerText('body'), title: await page.title() });
    });
  }
  assert.deepEqual(seen[0], seen[1]);
});

test('a wrong password can be mended on the same page', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page, { username: dev.user.username, password: 'mistyped' });
    await page.waitForSelector('[role=alert]');
    await signIn(page);
    const answer = await returned(page);
    assert.equal(answer.state, 'a-state');
    assert.equal(answer.iss, dev.issuer);
  }));

test('signing in works without scripts', () =>
  visit(
    async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page);
      assert.ok((await returned(page)).code);
    },
    { javaScriptEnabled: false },
  ));

test('signing in works with the keyboard alone', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await reach(page, 'username');
    await page.keyboard.type(dev.user.username);
    await page.keyboard.press('Tab');
    await reach(page, 'password');
    await page.keyboard.type(dev.user.password);
    await page.keyboard.press('Enter');
    assert.ok((await returned(page)).code);
  }));

test('form_post brings the code back with a posted form', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application, { response_mode: 'form_post' }));
    const posted = page.waitForRequest((request) => request.url() === application.redirect_uris[0]);
    await signIn(page);
    const fields = new URLSearchParams((await posted).postData());
    assert.ok(fields.get('code'));
    assert.equal(fields.get('state'), 'a-state');
    await page.waitForSelector('#back');
  }));

test('signing out asks first when the request proves nothing', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await returned(page);
    await page.goto(`${dev.issuer}/oauth/end-session`);
    await page.click('#logout-confirm');
    await page.waitForLoadState();
    await page.goto(authorizeUrl(application));
    await page.waitForSelector('#password');
  }));

async function reach(page, id) {
  for (let turn = 0; turn < 15; turn += 1) {
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard never reached #${id}`);
}
