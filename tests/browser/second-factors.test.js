// Second factors on the way: an app that is set up because the sign-in demands one, backup codes, and browsers that are trusted.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { about, accessibilityFaults, authorizeUrl, client, dev, isFirstParty, lookAt, looks, mailTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';
import { device, usb } from './devices.js';
import { makeApplication, management } from './management.js';
import { appCode, codeIn, nextText, notThis, register, signOut, tokens } from './people.js';

const application = client(isFirstParty);
let strict;
withBrowser();
withApplication(application);

before(async () => {
  const manage = await management('applications:write');
  strict = await makeApplication(manage, application, { name: 'Payroll', second_factor_required: true });
});

const someone = (name) => ({ username: `${name}@example.com`, password: 'two things and not one', name: 'Dorothy Vaughan' });

/** Signs in at an application that demands two factors, and sets the app up; its key. */
async function setUp(page, person) {
  await page.goto(authorizeUrl(strict));
  await signIn(page, person);
  await page.click('#set-up-totp-begin');
  const key = await page.innerText('#totp-key');
  const code = appCode(key);
  await page.fill('#totp-code', notThis(code));
  await page.click('#set-up-totp-submit');
  await page.waitForSelector('#form-error');
  assert.equal(await page.innerText('#totp-key'), key, 'a wrong code does not change the key');
  await page.fill('#totp-code', code);
  await page.click('#set-up-totp-submit');
  return key;
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  const person = someone(`midway-${javaScriptEnabled}`);
  let key;

  test(`an app is set up in the middle of a sign-in that demands a second factor, ${how}`, async () => {
    await visit((page) => register(page, application, person));
    await visit(async (page) => {
      key = await setUp(page, person);
      const { id } = await tokens(page, strict);
      assert.deepEqual([id.amr.toSorted(), id.acr], [['mfa', 'otp', 'pwd'], 'urn:svc:aal2']);
      await mailTo(person.username, about(/was added/));
    }, { javaScriptEnabled });
  });

  test(`a browser that is trusted is asked for no code until the person takes the trust back, ${how}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page, person);
      await page.check('[name=trust]');
      await page.fill('#totp-code', appCode(key, 1));
      await page.click('#totp-submit');
      await returned(page);
      await signOut(page);

      await page.goto(authorizeUrl(application));
      await signIn(page, person);
      const { id } = await tokens(page, application);
      assert.deepEqual([id.amr.toSorted(), id.acr], [['pwd', 'trusted_browser'], 'urn:svc:aal1']);
      await page.goto(authorizeUrl(strict));
      await page.waitForSelector('#totp-code');

      await page.goto(`${dev.issuer}/account/second-factors`);
      await page.click('#forget-browsers');
      assert.match(await page.innerText('#notice'), /ask for the second step again/);
      await signOut(page);
      await page.goto(authorizeUrl(application));
      await signIn(page, person);
      await page.waitForSelector('#totp-code');
    }, { javaScriptEnabled }));
}

test('a backup code lets its owner in once, without scripts', async () => {
  const person = someone('on-paper');
  await visit((page) => register(page, application, person));
  await visit(async (page) => {
    await setUp(page, person);
    await returned(page);
    await page.goto(`${dev.issuer}/account/backup-codes`);
    await page.click('#backup-codes-make');
    const [code] = await page.locator('#backup-codes code').allInnerTexts();
    assert.equal(await page.isVisible('#backup-codes-copy'), false, 'only a script can copy and print');
    await page.click('#backup-codes-noted');
    assert.match(await page.innerText('#backup-codes-left'), /10 codes/);
    for (const counts of [true, false]) {
      await signOut(page);
      await page.goto(authorizeUrl(application));
      await signIn(page, person);
      await page.click('#backup-code-more');
      await page.fill('#backup-code', code);
      await page.click('#backup-code-submit');
      if (counts) assert.ok((await returned(page)).code);
      else assert.match(await page.innerText('#form-error'), /was used before/);
    }
  }, { javaScriptEnabled: false });
});

test('who has a security key and an app takes either', () =>
  visit(async (page, context) => {
    const person = someone('either');
    await device(page, usb);
    await register(page, application, person);
    await signOut(page);
    await setUp(page, person);
    await returned(page);
    await page.goto(`${dev.issuer}/account/passkeys`);
    await page.click('#security-key-add');
    await page.waitForSelector('#notice');
    await context.clearCookies();
    await page.goto(authorizeUrl(application));
    await signIn(page, person);
    await page.waitForSelector('#passkey-submit');
    assert.deepEqual([await page.locator('#totp-code').count(), await page.locator('.or').count()], [1, 1]);
    assert.equal(await page.locator('.or + form').count(), 0, 'the first way is announced by nothing');
    await page.click('#passkey-submit');
    const { id } = await tokens(page, application);
    assert.equal(id.acr, 'urn:svc:aal2');
    assert.ok(!id.amr.includes('otp'), id.amr.join());
  }));

test('a passkey between other second ways is announced once', () =>
  visit(async (page, context) => {
    const person = someone('between');
    const number = '+442079460703';
    const phone = await device(page);
    await register(page, application, person);
    await page.goto(`${dev.issuer}/account/passkeys`);
    await page.click('#passkey-add');
    await page.waitForSelector('#notice');
    // A device at hand would sign in by itself.
    await phone.remove();
    await page.goto(`${dev.issuer}/account/phone`);
    await page.fill('#phone', number);
    await page.click('#phone-send');
    await page.fill('#phone-code', codeIn(await nextText(number)));
    await page.click('#phone-confirm');
    await page.waitForSelector('#notice');
    await context.clearCookies();
    await page.goto(`${dev.issuer}/auth/access`);
    await page.click('#sms-link');
    await page.fill('#sms-number', number);
    await page.click('#sms-send');
    await page.fill('#sms-code', codeIn(await nextText(number)));
    await page.click('#sms-submit');
    await page.goto(authorizeUrl(strict));
    await page.waitForSelector('#passkey-submit');
    const ways = await page.locator('#login-submit, .or, #passkey-submit, #social-elsewhere')
      .evaluateAll((all) => all.map(({ id, className }) => id || className));
    assert.deepEqual(ways, ['login-submit', 'or', 'passkey-submit', 'social-elsewhere']);
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of an app that is set up on the way, ${look}`, async () => {
    const person = someone(`midway-${look}`);
    await visit((page) => register(page, application, person));
    await visit(async (page) => {
      await page.goto(authorizeUrl(strict));
      await signIn(page, person);
      await page.waitForSelector('#set-up-totp-begin');
      await lookAt(page, 'set-up', look);
      await page.click('#set-up-totp-begin');
      await page.waitForSelector('#totp-key');
      assert.deepEqual(await accessibilityFaults(page), []);
    }, options);
  });
}
