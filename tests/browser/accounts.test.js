// Registering with a mailed link, and finding back in after a forgotten password.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizeUrl, client, isFirstParty, mailTo, mailsTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
const grace = { email: 'grace.hopper@example.com', password: 'nanoseconds-of-wire-1952' };
const secret = 'compiler-from-the-A0-series';
withBrowser();
withApplication(application);

test('a person registers, follows the mailed link and is signed in', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.fill('#email', grace.email);
    await page.click('#register-submit');
    const mail = await mailTo(grace.email);
    await page.goto(mail.links[0]);
    await page.fill('#name', 'Grace Hopper');
    await page.fill('#password', grace.password);
    await page.click('#verify-submit');
    await page.waitForLoadState();
    await page.goto(authorizeUrl(application));
    if (await page.isVisible('#password')) await signIn(page, { username: grace.email, password: grace.password });
    assert.ok((await returned(page)).code);
  }));

test('registering a known address shows the same page and mails its owner', () =>
  visit(async (page) => {
    const before = await mailsTo(grace.email);
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.fill('#email', grace.email);
    await page.click('#register-submit');
    await page.waitForLoadState();
    assert.equal(await page.locator('[role=alert]').count(), 0);
    for (let turn = 0; turn < 75 && (await mailsTo(grace.email)) === before; turn += 1) await page.waitForTimeout(200);
    assert.equal(await mailsTo(grace.email), before + 1);
  }));

test('a forgotten password is replaced with the mailed link', async () => {
  await visit(async (page) => {
    const before = await mailsTo(grace.email);
    await page.goto(authorizeUrl(application));
    await page.click('#forgot-link');
    await page.fill('#username', grace.email);
    await page.click('#forgot-submit');
    for (let turn = 0; turn < 75 && (await mailsTo(grace.email)) === before; turn += 1) await page.waitForTimeout(200);
    const mail = await mailTo(grace.email);
    await page.goto(mail.links[0]);
    await page.fill('#password', secret);
    await page.click('#reset-submit');
    await page.waitForLoadState();
  });
  await visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page, { username: grace.email, password: grace.password });
    await page.waitForSelector('[role=alert]');
    await signIn(page, { username: grace.email, password: secret });
    assert.ok((await returned(page)).code);
  });
});

test('a forgotten password of an unknown address shows the same page and sends no mail', async () => {
  const seen = [];
  const unknown = 'nobody.at.all@example.com';
  for (const address of [grace.email, unknown]) {
    await visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await page.click('#forgot-link');
      await page.fill('#username', address);
      await page.click('#forgot-submit');
      await page.waitForLoadState();
      seen.push((await page.innerText('body')).replaceAll(address, 'ADDRESS'));
    });
  }
  assert.equal(seen[0], seen[1]);
  assert.equal(await mailsTo(unknown), 0);
});
