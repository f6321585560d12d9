// The account centre: an app for one-time codes is set up, asked for and replaced by a code on paper; every page is looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, authorizeUrl, client, dev, isFirstParty, lookAt, looks, mailTo, returned, signIn, visit, withApplication, withBrowser } from './browser.js';
import { appCode, register } from './people.js';
import { sections } from './sections.js';

const application = client(isFirstParty);
const mary = { username: 'mary.somerville@example.com', password: 'connexion-of-the-sciences', name: 'Mary Somerville' };
withBrowser();
withApplication(application);

/** Opens a section, and signs in on the way where that is asked for. */
async function open(page, section) {
  await page.goto(`${dev.issuer}/account${section}`);
  if (await page.isVisible('#login-submit')) await signIn(page, mary);
  await page.waitForSelector('.centre-menu');
}

let key;
let codes;
/** The link that was mailed to another address of hers. */
let confirmation;

test('a person sets up an app, and copies and prints backup codes', () =>
  visit(async (page, context) => {
    await register(page, application, mary);
    await open(page, '/second-factors');
    await lookAt(page, 'account-second-factors-none', 'light');
    await page.click('#app-begin');
    key = await page.innerText('#totp-key');
    await lookAt(page, 'account-app-key', 'light');
    await page.fill('#totp-code', appCode(key));
    await page.fill('#new-name', 'My phone');
    await page.click('#app-add');
    assert.equal(await page.innerText('#notice'), 'Added.');
    await mailTo(mary.username, about(/added to your account/));
    await open(page, '/backup-codes');
    await page.click('#backup-codes-make');
    codes = await page.locator('#backup-codes code').allInnerTexts();
    assert.equal(codes.length, 10);
    await lookAt(page, 'account-backup-codes-made', 'light');
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(dev.issuer).origin });
    await page.click('#backup-codes-copy');
    await page.waitForSelector('#backup-codes-copied:not(:empty)');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.join('\n'));
    await page.evaluate(() => { window.print = () => { document.title = 'printed'; }; });
    await page.click('#backup-codes-print');
    assert.equal(await page.title(), 'printed');
    await page.click('#backup-codes-noted');
    assert.match(await page.innerText('#backup-codes-left'), /10 codes/);
    await open(page, '/email');
    await page.fill('#email', 'mary.greig@example.com');
    await page.click('#email-submit');
    [confirmation] = (await mailTo('mary.greig@example.com')).links;
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`a backup code lets the person in once, and every section can be looked at, ${look}`, () =>
    visit(async (page) => {
      await page.goto(authorizeUrl(application));
      await signIn(page, mary);
      await page.waitForSelector('#totp-submit');
      await lookAt(page, 'second-factor', look);
      await page.click('#backup-code-more');
      await page.fill('#backup-code', codes.pop());
      await page.click('#backup-code-submit');
      assert.ok((await returned(page)).code);
      await page.goto(`${dev.issuer}/account`);
      await lookAt(page, 'account', look);
      for (const section of sections) {
        // On a phone the menu is folded.
        if (!(await page.isVisible(`#account-to-${section}`))) await page.click('.centre-menu > summary');
        await page.click(`#account-to-${section}`);
        await page.waitForSelector(`#account-to-${section}[aria-current]`, { state: 'attached' });
        await lookAt(page, `account-${section}`, look);
      }
      await page.goto(confirmation);
      await page.waitForSelector('#new-address-submit');
      await lookAt(page, 'new-address', look);
    }, options));
}

test('without scripts a code of the app lets the person in, and a used one does not', () =>
  visit(async (page) => {
    await page.goto(authorizeUrl(application));
    await signIn(page, mary);
    await page.fill('#totp-code', '000000');
    await page.click('#totp-submit');
    assert.match(await page.innerText('#form-error'), /wrong, too old, or was used/);
    // The step of the code that set the app up is used; the next one counts already.
    await page.fill('#totp-code', appCode(key, 1));
    await page.click('#totp-submit');
    assert.ok((await returned(page)).code);
  }, { javaScriptEnabled: false }));

for (const [name, javaScriptEnabled, shape] of [
  ['by the clock of the browser', true, /^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d{2}\s[AP]M$/],
  ['of UTC without scripts', false, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC$/],
]) {
  test(`sessions are listed with times ${name}`, () =>
    visit(async (page) => {
      await page.goto(`${dev.issuer}/account/sessions`);
      await signIn(page);
      await page.waitForSelector('.centre-menu');
      const times = await page.locator('time').allInnerTexts();
      assert.ok(times.length >= 2);
      for (const time of times) assert.match(time, shape);
    }, { javaScriptEnabled }));
}

/** The link that was mailed to the address that hers was. */
let back;

test('another address is confirmed, and the one before is mailed a link that takes it back', () =>
  visit(async (page) => {
    await page.goto(confirmation);
    await signIn(page, mary);
    await page.waitForSelector('#totp-submit');
    await page.click('#backup-code-more');
    await page.fill('#backup-code', codes.pop());
    await page.click('#backup-code-submit');
    await page.click('#new-address-submit');
    const { links } = await mailTo(mary.username, about(/another email address/));
    back = links.find((link) => link.includes('/auth/undo-address'));
    assert.ok(back, JSON.stringify(links));
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the page that takes an address back, ${look}`, () =>
    visit(async (page) => {
      await page.goto(back);
      await page.waitForSelector('#undo-address-submit');
      await lookAt(page, 'undo-address', look);
    }, options));
}

test('without scripts an address that was taken back leads to a new password', () =>
  visit(async (page) => {
    await page.goto(back);
    await page.click('#undo-address-submit');
    await page.waitForSelector('#reset-submit');
  }, { javaScriptEnabled: false }));

test('a long address stands next to its picture on a narrow phone, and on paper a section has the whole width', () =>
  visit(async (page) => {
    const person = { username: `${'ada.'.repeat(12)}lovelace@a-long-name-of-a-host.example.com`, password: 'a name as long as a comet', name: 'Ada' };
    await register(page, application, person);
    await page.goto(`${dev.issuer}/account/organizations`);
    const [picture, address] = await Promise.all(['svg', 'bdi'].map((part) => page.locator(`.account-chip ${part}`).boundingBox()));
    assert.ok(address.x >= picture.x + picture.width && address.y <= picture.y, JSON.stringify([picture, address]));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ media: 'print' });
    const [whole, section] = await Promise.all(['main', '.centre-section'].map((part) => page.locator(part).boundingBox()));
    assert.ok(section.width > whole.width * 0.8, JSON.stringify([whole, section]));
  }, { viewport: { width: 320, height: 640 } }));

test('the Tab key finds a way past the menu', () =>
  visit(async (page) => {
    await page.goto(`${dev.issuer}/account/profile`);
    await signIn(page);
    await page.waitForSelector('.centre-menu');
    await page.keyboard.press('Tab');
    const link = page.locator('#account-skip');
    assert.ok(await link.evaluate((link) => link === document.activeElement && link.offsetWidth > 20));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.ok(await page.evaluate(() => document.activeElement.closest('.centre-section') !== null));
    assert.equal(await link.evaluate((link) => link.offsetWidth), 1, 'it is out of sight again');
  }));
