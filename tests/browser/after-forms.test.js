// After a form: reload and back send nothing twice, and the page can be had in another language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isFirstParty, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
withBrowser();
withApplication(application);

test('a page with a fault can be reloaded, and back leads to the empty form', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page, { username: dev.user.username, password: 'mistyped' });
    await page.waitForSelector('#form-error');
    const posts = [];
    page.on('request', (request) => request.method() === 'POST' && request.isNavigationRequest() && posts.push(request.url()));
    await page.reload();
    await page.waitForSelector('#form-error');
    assert.equal(await page.inputValue('#username'), dev.user.username);
    await page.goBack();
    await page.waitForSelector('#login-submit');
    assert.equal(await page.locator('#form-error').count(), 0);
    assert.deepEqual(posts, []);
    await signIn(page);
    assert.ok((await returned(page)).code);
  }));

test('a person chooses a language in the middle of a flow, and it stays', () =>
  visit(
    async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page, { username: dev.user.username, password: 'mistyped' });
      await page.waitForSelector('#form-error');
      await page.click('#languages button[value=de]');
      await page.waitForSelector('html[lang=de] #form-error');
      assert.match(await page.innerText('#login-submit'), /Anmelden/);
      await signIn(page);
      assert.ok((await returned(page)).code);
      await page.goto(`${dev.issuer}/auth/access`);
      await page.waitForSelector('html[lang=de]');
    },
    { javaScriptEnabled: false },
  ));

test('the button that shows the password keeps its name', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    const button = page.getByRole('button', { name: 'Show password' });
    await page.fill('#password', 'seen');
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    assert.equal(await page.getAttribute('#password', 'type'), 'text');
  }));
