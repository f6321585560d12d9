// Several accounts in one browser: added, chosen, switched and signed out, in every look and without scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, looks, lookAt, mailTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
const vera = { username: 'vera.rubin@example.com', password: 'galaxies-rotate-too-fast' };
withBrowser();
withApplication(application);

const accounts = `${dev.issuer}/account/accounts`;

/** Signs the person of the ready line in, and Vera besides. */
async function signBothIn(page) {
  await page.goto(authorizeUrl(application));
  await signIn(page);
  await returned(page);
  await page.goto(authorizeUrl(application, { prompt: 'login' }));
  await signIn(page, vera);
  await returned(page);
}

test('a second person registers', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.fill('#email', vera.username);
    await page.click('#register-submit');
    await page.waitForSelector('#resend-submit');
    await page.goto((await mailTo(vera.username)).links[0]);
    await page.fill('#name', 'Vera Rubin');
    await page.fill('#password', vera.password);
    await page.click('#verify-submit');
    await page.waitForLoadState();
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of several accounts, ${look}`, () =>
    visit(async (page) => {
      await signBothIn(page);
      await page.goto(authorizeUrl(application));
      await page.waitForSelector('#account-1');
      await lookAt(page, 'several-accounts-chooser', look);
      await page.goto(accounts);
      await page.waitForSelector('#account-use-1');
      await lookAt(page, 'several-accounts-centre', look);
      await page.goto(`${dev.issuer}/account`);
      await page.click('#switch-account');
      await page.waitForSelector('#account-other');
      await lookAt(page, 'several-accounts-switch', look);
      await page.goto(`${dev.issuer}/oauth/end-session`);
      await page.waitForSelector('#logout-confirm');
      await lookAt(page, 'several-accounts-sign-out', look);
      await page.click('#account-0');
      await page.waitForSelector('#accounts-link');
      await lookAt(page, 'several-accounts-signed-out', look);
    }, options));
}

for (const javaScriptEnabled of [true, false]) {
  const way = javaScriptEnabled ? 'with' : 'without';

  test(`accounts are added, chosen, switched and signed out ${way} scripts`, () =>
    visit(async (page) => {
      await page.goto(accounts);
      await signIn(page);
      await page.click('#account-add');
      await signIn(page, vera);
      assert.match(await page.innerText('section:has(#account-0)'), /Vera Rubin[\s\S]*in use/);
      await page.goto(authorizeUrl(application));
      await page.click('.account:has-text("Vera Rubin")');
      assert.ok((await returned(page)).code);
      await page.goto(authorizeUrl(application, { prompt: 'none' }));
      assert.ok((await returned(page)).code, 'the choice lasts');
      await page.goto(accounts);
      await page.click('#account-use-1');
      assert.match(await page.innerText('#notice'), /switched/);
      assert.doesNotMatch(await page.innerText('section:has(#account-0)'), /Vera Rubin/);
      await page.click('#account-end-1');
      assert.match(await page.innerText('#notice'), /signed out/);
      assert.equal(await page.locator('#account-1').count(), 0);
      await page.goto(authorizeUrl(application, { prompt: 'select_account' }));
      assert.match(await page.innerText('.account:has-text("Vera Rubin")'), /Signed out/);
      await page.click('.account:has-text("Vera Rubin")');
      assert.equal(await page.inputValue('#username'), vera.username);
      await page.fill('#password', vera.password);
      await page.click('#login-submit');
      assert.ok((await returned(page)).code);
      await page.goto(accounts);
      await page.click('#accounts-end-all');
      await page.goto(authorizeUrl(application, { prompt: 'none' }));
      assert.equal((await returned(page)).error, 'login_required');
    }, { javaScriptEnabled }));

  test(`a form of one tab changes nothing after a switch in another ${way} scripts`, () =>
    visit(async (page, context) => {
      await signBothIn(page);
      await page.goto(`${dev.issuer}/account/profile`);
      await page.fill('#name', 'Somebody Else');
      const other = await context.newPage();
      await other.goto(accounts);
      await other.click('#account-use-1');
      await other.waitForSelector('#notice');
      await page.click('#profile-submit');
      assert.match(await page.innerText('#notice'), /another account, so nothing was changed/);
      await page.goto(accounts);
      assert.doesNotMatch(await page.innerText('.centre-section'), /Somebody Else/);
    }, { javaScriptEnabled }));
}
