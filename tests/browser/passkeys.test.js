// Passkeys and security keys, with virtual authenticators of Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, accessibilityFaults, authorizeUrl, client, dev, isFirstParty, mailTo, returned, settled, signIn, visit, withApplication, withBrowser } from './browser.js';
import { device, usb } from './devices.js';

const application = client(isFirstParty);
const section = `${dev.issuer}/account/passkeys`;
withBrowser();
withApplication(application);

/** Registers a person who chooses a passkey behind the mailed link. */
async function register(page, email) {
  await page.goto(authorizeUrl(application));
  await page.click('#register-link');
  await page.fill('#email', email);
  await page.click('#register-submit');
  const mail = await mailTo(email);
  await page.goto(mail.links[0]);
  await page.fill('#name', 'Grace Hopper');
  await page.click('#verify-passkey');
  await returned(page);
}

test('a person registers with a passkey and signs in with it in the list of the user name', () =>
  visit(async (page, context) => {
    const phone = await device(page);
    await register(page, 'passkey-first@example.com');
    const [key] = await phone.keys();
    assert.equal(key.isResidentCredential, true);
    assert.equal(key.rpId, new URL(dev.issuer).hostname);

    await context.clearCookies();
    await page.goto(authorizeUrl(application));
    assert.ok((await returned(page)).code, 'the browser offers the passkey, and the person takes it');
  }));

test('a passkey is added to an account with a password, named, and signs in by its button', () =>
  visit(async (page, context) => {
    const phone = await device(page);
    await page.goto(section);
    await signIn(page);
    await page.click('#passkey-add');
    await page.waitForSelector('#notice');
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.fill('#key-name-0', 'Phone of Ada');
    await page.click('#key-rename-0');
    await page.waitForSelector('#notice');
    assert.equal(await page.inputValue('#key-name-0'), 'Phone of Ada');
    await mailTo('ada@demo.example', about(/was added/));

    // A device that has one makes no second.
    await page.click('#passkey-add');
    await page.waitForSelector('[data-passkey] [role=status]');
    assert.equal((await phone.keys()).length, 1);

    await context.clearCookies();
    await phone.answers(false);
    await page.goto(authorizeUrl(application));
    await page.waitForSelector('#passkey-submit');
    assert.deepEqual(await accessibilityFaults(page), []);
    // What the page asks by itself is asked by now, and stays without an answer.
    await settled(page);
    await phone.answers(true);
    await page.click('#passkey-submit');
    assert.ok((await returned(page)).code);

    await page.goto(section);
    await page.click('#key-remove-0');
    await page.waitForSelector('#passkeys-none');
  }));

test('a device that does not unlock signs no one in, and the page says what to do', () =>
  visit(async (page, context) => {
    const phone = await device(page);
    await register(page, 'passkey-locked@example.com');
    await context.clearCookies();
    await phone.answers(false);
    await phone.unlocks(false);
    await page.goto(authorizeUrl(application));
    await page.waitForSelector('#passkey-submit');
    await phone.answers(true);
    await page.click('#passkey-submit');
    const status = page.locator('.passkey [role=status]');
    await status.waitFor();
    assert.match(await status.innerText(), /Try again|another way/);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'passkey-submit');
    assert.ok(await page.isVisible('#password'), 'the password still works');
    // The page asks by itself again: a device that unlocks and answers would be taken before the button is pressed.
    await phone.answers(false);
    await settled(page);
    await phone.unlocks(true);
    await phone.answers(true);
    await page.click('#passkey-submit');
    assert.ok((await returned(page)).code);
  }));

test('a browser that knows no passkeys is offered none, and reads why where a page has nothing else', () =>
  visit(async (page) => {
    await page.addInitScript(() => { window.PublicKeyCredential = undefined; });
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await returned(page);
    await page.goto(section);
    const why = page.locator('.apart [role=status]').first();
    await why.waitFor();
    assert.match(await why.innerText(), /cannot make a passkey/);
    assert.ok(await page.isDisabled('#passkey-add'));
  }));

test('of several devices each signs its person in', () =>
  visit(async (page, context) => {
    const phone = await device(page);
    await register(page, 'passkey-several@example.com');
    const [first] = await phone.keys();
    await phone.remove();
    const laptop = await device(page);
    await page.goto(section);
    await page.click('#passkey-add');
    await page.waitForSelector('#notice');
    assert.equal(await page.locator('section.request').count(), 2);
    const [second] = await laptop.keys();
    assert.notEqual(first.credentialId, second.credentialId);
    assert.equal(first.userHandle, second.userHandle);

    await laptop.remove();
    for (const key of [first, second]) {
      const present = await device(page);
      await present.give(key);
      await context.clearCookies();
      await page.goto(authorizeUrl(application));
      assert.ok((await returned(page)).code);
      await present.remove();
    }
  }));

test('a security key is asked for after the password', () =>
  visit(async (page, context) => {
    const stick = await device(page, usb);
    await page.goto(section);
    await signIn(page);
    await page.click('#security-key-add');
    await page.waitForSelector('#notice');
    const [key] = await stick.keys();
    assert.equal(key.isResidentCredential, false);

    await context.clearCookies();
    await page.goto(authorizeUrl(application));
    await signIn(page);
    await page.waitForSelector('#passkey-submit');
    assert.equal(await page.locator('#password').count(), 0);
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.click('#passkey-submit');
    assert.ok((await returned(page)).code);

    await page.goto(section);
    await page.click('#key-remove-0');
    await page.waitForSelector('#passkeys-none');
  }));

test('without scripts the part is hidden and the password works', () =>
  visit(
    async (page) => {
      await page.goto(authorizeUrl(application));
      assert.equal(await page.isVisible('#passkey-submit'), false);
      await signIn(page);
      assert.ok((await returned(page)).code);
    },
    { javaScriptEnabled: false },
  ));

test('a passkey is set up in the middle of a sign-in that needs two factors', () =>
  visit(async (page, context) => {
    const person = { username: 'passkey-midway@example.com', password: 'a passkey in the middle of it' };
    await page.goto(authorizeUrl(application));
    await page.click('#register-link');
    await page.fill('#email', person.username);
    await page.click('#register-submit');
    await page.goto((await mailTo(person.username)).links[0]);
    await page.fill('#name', 'Grace Hopper');
    await page.fill('#password', person.password);
    await page.click('#verify-submit');
    await returned(page);

    await context.clearCookies();
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:svc:aal2' } } });
    await page.goto(authorizeUrl(application, { claims }));
    await signIn(page, person);
    await page.waitForSelector('#set-up-passkey-submit');
    assert.deepEqual(await accessibilityFaults(page), []);
    const phone = await device(page);
    await phone.unlocks(false);
    await page.click('#set-up-passkey-submit');
    await page.waitForSelector('[data-passkey] [role=status]');
    await phone.unlocks(true);
    await page.click('#set-up-passkey-submit');
    assert.ok((await returned(page)).code);
    assert.equal((await phone.keys()).length, 1);
    await mailTo(person.username, about(/was added/));
    await page.goto(authorizeUrl(application, { claims, prompt: 'none' }));
    assert.ok((await returned(page)).code, 'the session is strong enough from now on');
  }));
