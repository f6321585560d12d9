// Codes and links that are mailed or sent to a phone: every page on the way is looked at, and a link is followed in Arabic.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, authorizeUrl, client, dev, everyLook, isFirstParty, lookAt, looks, mailTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

const application = client(isFirstParty);
const ada = 'ada@demo.example';
withBrowser();
withApplication(application);

/** Opens a way to sign in besides the first. */
async function choose(page, method) {
  await page.goto(authorizeUrl(application));
  await page.click(`#${method}-link`);
}

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of codes and links, ${look}`, () =>
    visit(async (page) => {
      await choose(page, 'magic-link');
      await page.waitForSelector('#magic-link-send');
      await lookAt(page, 'magic-link', look);
      await page.fill('#magic-link-address', `link-${look}@example.com`);
      await page.click('#magic-link-send');
      await page.waitForSelector('#magic-link-resend');
      await lookAt(page, 'magic-link-sent', look);

      await choose(page, 'email-otp');
      await page.fill('#email-otp-address', `code-${look}@example.com`);
      await page.click('#email-otp-send');
      await page.waitForSelector('#email-otp-code');
      await lookAt(page, 'email-code', look);

      await choose(page, 'sms');
      await page.waitForSelector('#sms-number');
      await lookAt(page, 'text-message', look);
      await page.fill('#sms-number', '+44 20 7946 0123');
      await page.click('#sms-send');
      await page.waitForSelector('#sms-code');
      await lookAt(page, 'text-message-code', look);

      await page.goto(`${dev.issuer}/account/phone`);
      await signIn(page);
      await page.waitForSelector('#phone-send');
      await lookAt(page, 'account-phone', look);
    }, options));
}

test('a link that was mailed from a page in Arabic signs in', () =>
  visit(async (page) => {
    await choose(page, 'magic-link');
    assert.equal(await page.getAttribute('html', 'dir'), 'rtl');
    assert.equal(await page.getAttribute('#magic-link-address', 'dir'), 'ltr');
    await page.fill('#magic-link-address', ada);
    await page.click('#magic-link-send');
    await page.waitForSelector('#magic-link-resend');
    assert.ok((await page.innerText('.card')).includes(`\u2068${ada}\u2069`));
    // In the language of the account: a stranger may have asked for it.
    const mail = await mailTo(ada, about(/your link to sign in/));
    await page.goto(mail.links[0]);
    await page.waitForSelector('#sign-in-link-submit');
    await lookAt(page, 'sign-in-link', 'right-to-left');
    await page.click('#sign-in-link-submit');
    assert.ok((await returned(page)).code);
  }, everyLook['right-to-left']));
