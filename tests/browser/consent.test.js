// What a person allows an application of another owner.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, dev, isThirdParty, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isThirdParty);
withBrowser();
withApplication(application);

test('refusing consent tells the application access_denied', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await page.click('#consent-deny');
    const answer = await returned(page);
    assert.equal(answer.error, 'access_denied');
    assert.equal(answer.state, 'a-state');
    assert.equal(answer.iss, dev.issuer);
    assert.equal(answer.code, undefined);
  }));

test('the consent page names the application and what it asks for, without scripts too', () =>
  visit(
    async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page);
      await page.waitForSelector('#consent-allow');
      const text = await page.innerText('body');
      assert.ok(text.includes(application.name ?? 'Third-party demo'), text);
      assert.match(text, /e-?mail/i);
      await page.click('#consent-deny');
      assert.equal((await returned(page)).error, 'access_denied');
    },
    { javaScriptEnabled: false },
  ));

test('allowed consent is remembered, and asked again when the application asks for that', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await page.click('#consent-allow');
    assert.ok((await returned(page)).code);

    await page.goto(authorizeUrl(application));
    assert.ok((await returned(page)).code);

    await page.goto(authorizeUrl(application, { prompt: 'consent' }));
    await page.waitForSelector('#consent-allow');
  }));
