// Every hosted page, looked at: it fits a phone, has a language, a title, labels, and contrast in light and dark; a picture
// of it is kept in the folder SVC_SCREENSHOTS when that is set.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, authorizeUrl, client, dev, isFirstParty, isThirdParty, lookAt, looks, mailTo, poll, signIn, startDevice, visit, withApplication, withBrowser } from './browser.js';
import { codeIn } from './people.js';

const application = client(isFirstParty);
const stranger = client(isThirdParty);
withBrowser();
withApplication(application);

for (const [look, options] of Object.entries(looks)) {
  const look_at = (page, name, part) => lookAt(page, name, look, part);

  test(`the pages of signing in, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await look_at(page, 'sign-in');
      await signIn(page, { username: dev.user.username, password: 'mistyped' });
      await page.waitForSelector('[role=alert]');
      await look_at(page, 'sign-in-error');
      await page.goto(authorizeUrl(stranger, { prompt: 'login consent' }));
      await signIn(page);
      await page.waitForSelector('#consent-allow');
      await look_at(page, 'consent');
      await page.click('#consent-allow');
      await page.waitForSelector('#back');
      await page.goto(authorizeUrl(application, { prompt: 'select_account' }));
      await page.waitForSelector('#account-0');
      await look_at(page, 'select-account');
      await page.goto(`${dev.issuer}/auth/access`);
      await page.waitForSelector('#access-remove-0');
      await look_at(page, 'access');
      await page.goto(`${dev.issuer}/oauth/end-session`);
      await page.waitForSelector('#logout-confirm');
      await look_at(page, 'sign-out');
      await page.click('#logout-confirm');
      await page.waitForLoadState();
      await look_at(page, 'signed-out');
    }, options));

  test(`the pages of registering and recovering, ${look}`, () =>
    visit(async (page) => {
      const address = `visitor-${look}@example.com`;
      await page.goto(authorizeUrl(application));
      await page.click('#register-link');
      await page.waitForSelector('#register-submit');
      await look_at(page, 'register');
      await page.fill('#email', address);
      await page.click('#register-submit');
      await page.waitForSelector('#resend-submit');
      await look_at(page, 'register-sent');
      await page.goto((await mailTo(address)).links[0]);
      await page.waitForSelector('#verify-submit');
      await look_at(page, 'verify-email');
      await page.fill('#name', 'A Visitor');
      for (const [password, rank] of [['visitors', 1], ['12345678901234567890', 1], ['a-visitor-of-every-page-42', 4]]) {
        await page.fill('#password', password);
        assert.equal(await page.locator('.strength meter').evaluate((meter) => meter.value), rank, password);
      }
      assert.equal((await page.textContent('.strength [role=status]')).length > 0, true);
      await look_at(page, 'verify-email-strength');
      await page.click('#verify-submit');
      await page.waitForLoadState();

      await page.context().clearCookies();
      const link = (await mailTo(address)).links[0];
      await page.goto(authorizeUrl(application));
      await page.click('#forgot-link');
      await page.waitForSelector('#forgot-submit');
      await look_at(page, 'forgot');
      await page.fill('#username', address);
      await page.click('#forgot-submit');
      await page.waitForSelector('#resend-submit');
      await look_at(page, 'forgot-sent');
      const { links: [reset] } = await mailTo(address, (mail) => mail.links[0] !== link);
      await page.goto(reset);
      await page.waitForSelector('#reset-submit');
      await look_at(page, 'reset-password');
    }, options));

  test(`the pages of registering by a code, ${look}`, () =>
    visit(async (page) => {
      const address = `visitor-by-code-${look}@example.com`;
      await page.goto(authorizeUrl(application));
      await page.click('#register-link');
      await page.fill('#email', address);
      await page.click('button#register-code');
      await page.waitForSelector('input#register-code');
      await look_at(page, 'register-code');
      await page.fill('#register-code', codeIn((await mailTo(address)).text));
      await page.click('#register-code-submit');
      await page.waitForSelector('#register-name-submit');
      await look_at(page, 'register-name');
    }, options));

  // The script of the page would send its form at once.
  test(`the page that posts an answer to an application, ${look}`, () =>
    visit(async (page) => {
      await page.route('**/auth/assets/svc*', (route) => route.abort('blockedbyclient'));
      await page.goto(authorizeUrl(application, { response_mode: 'form_post' }));
      await signIn(page);
      await page.waitForSelector('#form-post-submit');
      await look_at(page, 'form-post');
      await page.click('#form-post-submit');
      await page.waitForSelector('#back');
    }, options));

  test(`the pages of approving, ${look}`, () =>
    visit(async (page) => {
      const device = await startDevice();
      await page.goto(device.verification_uri);
      await signIn(page);
      await page.waitForSelector('#device-submit');
      await look_at(page, 'device-code');
      await page.fill('#user_code', 'BCDF-GHJK');
      await page.click('#device-submit');
      await page.waitForSelector('[role=alert]');
      await look_at(page, 'device-code-error');
      await page.fill('#user_code', device.user_code);
      await page.click('#device-submit');
      await page.waitForSelector('#approval-allow-0');
      await look_at(page, 'device-approval');
      await page.click('#approval-allow-0');
      await page.waitForSelector('.card-center');
      await look_at(page, 'approved');
      await page.goto(`${dev.issuer}/auth/approvals`);
      await page.waitForSelector('#approvals-none');
      await look_at(page, 'approvals-none');

      const asked = [await ask('ada', 'W4SCT'), await ask('ada', 'Transfer of 1,000.00 EUR to Grace Admin')];
      await page.goto(`${dev.issuer}/auth/approvals`);
      await page.waitForSelector('#approval-deny-1');
      await look_at(page, 'approvals');
      for (const _ of asked) {
        await page.goto(`${dev.issuer}/auth/approvals`);
        await page.click('#approval-deny-0');
        await page.waitForSelector('.card-center');
      }
      await look_at(page, 'refused');
      assert.equal((await poll(asked[0])).error, 'access_denied');
    }, options));

  test(`the pages of errors and of development, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl({ client_id: 'nobody', redirect_uris: ['https://example.com/'] }));
      assert.ok(await page.textContent('#error-code'));
      await look_at(page, 'error');
      await page.goto(authorizeUrl(await registered(), { prompt: 'none' }));
      await page.waitForSelector('#leave-link');
      await look_at(page, 'leaving');
      await page.goto(`${dev.issuer}/dev`);
      await look_at(page, 'dev');
      await page.click('#dev-sign-in-ada');
      await page.waitForSelector('#claims');
      await look_at(page, 'dev-claims');
      await page.goto(`${dev.issuer}/dev/inbox`);
      await look_at(page, 'dev-inbox');
      await page.goto(`${dev.issuer}/`);
      await page.click('#get_applications > summary');
      // A test of its own looks at all operations.
      await look_at(page, 'reference', '#get_applications');
    }, options));
}

/** An application that registered itself. */
async function registered() {
  const body = JSON.stringify({ client_name: 'A visitor', redirect_uris: ['https://visitor.example/callback'] });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${dev.issuer}/oauth/register`, { method: 'POST', headers, body })).json();
}
