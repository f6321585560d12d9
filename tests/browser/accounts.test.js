// Registering with a mailed link, and finding back in after a forgotten password.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, authorizeUrl, client, dev, isFirstParty, mailTo, mailsTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';

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

test('the browser works for a moment before it may register, and says so', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.waitForFunction(() => document.querySelector('[name=captcha_answer]').value !== '');
    assert.match(await page.inputValue('[name=captcha_answer]'), /^\d+$/);
    assert.equal(await page.innerText('.captcha-state'), 'Checked: you are not a robot.');
    await page.fill('#email', 'work@example.com');
    await page.click('#register-submit');
    await page.waitForSelector('#resend-submit');
  }));

test('a form that is sent before its check for robots has loaded waits for it', () =>
  visit(async (page) => {
    let load;
    const loading = new Promise((resolve) => { load = resolve; });
    await page.route('**/auth/assets/captcha*', (route) => loading.then(() => route.continue()));
    await page.goto(authorizeUrl(application));
    await page.click('#register-link', { noWaitAfter: true });
    await page.fill('#email', 'early@example.com');
    await page.click('button#register-code', { noWaitAfter: true });
    await page.waitForSelector('form[aria-busy=true]');
    load();
    await page.waitForSelector('input#register-code');
  }));

test('a check for robots that is blocked says so, and its form tells what to do', () =>
  visit(async (page) => {
    await page.route('**/auth/assets/captcha*', (route) => route.abort('blockedbyclient'));
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.waitForSelector('.captcha-failed');
    assert.match(await page.innerText('.captcha-failed'), /could not be loaded/);
    assert.equal(await page.locator('.captcha [data-done]').count(), 0);
    await page.fill('#email', 'robot@example.com');
    await page.click('#register-submit');
    assert.match(await page.innerText('#form-error'), /not a robot/);
  }));

test('without scripts a form that keeps robots out says what it needs', () =>
  visit(
    async (page) => {
      await page.goto(authorizeUrl(application));
      await page.click('#register-link');
      assert.match(await page.innerText('.captcha-state >> visible=true'), /needs JavaScript/);
      await page.fill('#email', 'robot@example.com');
      await page.click('#register-submit');
      assert.match(await page.innerText('#form-error'), /not a robot/);
    },
    { javaScriptEnabled: false },
  ));

test('the inbox shows a mail as mail programs do, and runs nothing of it', async () => {
  const mail = await mailTo(grace.email);
  const answer = await fetch(`${dev.issuer}/dev/inbox/${mail.id}`);
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type'), /^text\/html/);
  const policy = answer.headers.get('content-security-policy');
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /\bsandbox\b(?!.*allow-scripts)/);
  const html = await answer.text();
  assert.ok(html.includes(mail.links[0].replaceAll('&', '&amp;')), html);
  await visit(async (page) => {
    await page.goto(`${dev.issuer}/dev/inbox`);
    const opened = page.context().waitForEvent('page');
    await page.click(`article[id="${mail.id}"] .mail-html`);
    assert.equal((await opened).url(), `${dev.issuer}/dev/inbox/${mail.id}`);
  });
  assert.equal((await fetch(`${dev.issuer}/dev/inbox/none`)).status, 404);
});

test('registering a known address shows the same page and mails its owner', () =>
  visit(async (page) => {
    const before = await mailsTo(grace.email);
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.fill('#email', grace.email);
    await page.click('#register-submit');
    await page.waitForSelector('#resend-submit');
    assert.equal(await page.locator('[role=alert]').count(), 0);
    for (let turn = 0; turn < 300 && (await mailsTo(grace.email)) === before; turn += 1) await page.waitForTimeout(50);
    assert.equal(await mailsTo(grace.email), before + 1);
  }));

test('a forgotten password is replaced with the mailed link', async () => {
  await visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await page.click('#forgot-link');
    await page.fill('#username', grace.email);
    await page.click('#forgot-submit');
    const mail = await mailTo(grace.email, about(/reset your password/));
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
      await page.waitForSelector('#resend-submit');
      seen.push((await page.innerText('body')).replaceAll(address, 'ADDRESS'));
    });
  }
  assert.equal(seen[0], seen[1]);
  assert.equal(await mailsTo(unknown), 0);
});
