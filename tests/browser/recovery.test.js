// A new password for who has lost the old one, by what the account has besides its mailbox: a passkey, an account elsewhere.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { about, authorizeUrl, client, dev, isFirstParty, lookAt, looks, mailTo, returned, settled, signIn, visit, withApplication, withBrowser } from './browser.js';
import { device } from './devices.js';
import { management } from './management.js';
import { makeKnown, register, signOut } from './people.js';

const elsewhere = JSON.parse(process.env.SVC_ELSEWHERE).dev;
const application = client(isFirstParty);
withBrowser();
withApplication(application);

const someone = (name) => ({ username: `${name}@example.com`, password: 'what I have forgotten', name: 'Sophie Wilson' });

/** The password of people at the provider. */
const there = 'what I have not forgotten';

before(async () => {
  const manage = await management('tenant-users:write privileges:grant', elsewhere);
  for (const { username, name } of [true, false].map((scripts) => someone(`linked-${scripts}`))) {
    const { id } = await manage('POST', 'tenant-users', { email: username, name });
    await manage('PUT', `tenant-users/${id}/password`, { password: there });
  }
});

/** To the page of a forgotten password, from the sign-in. */
async function forget(page) {
  await page.goto(authorizeUrl(application));
  await page.click('#forgot-link');
}

/** Chooses a new password, with which alone the person signs in then. */
async function choose(page, person) {
  const password = `${person.password} is new`;
  await page.fill('#password', password);
  await page.click('#reset-submit');
  assert.match(await page.innerText('.note'), /Your password has been changed/);
  await signIn(page, person);
  await page.waitForSelector('#form-error');
  await signIn(page, { ...person, password });
  assert.ok((await returned(page)).code);
}

test('a passkey leads to a new password', () =>
  visit(async (page) => {
    const person = someone('recovered-by-passkey');
    const phone = await device(page);
    await register(page, application, person);
    await page.goto(`${dev.issuer}/account/passkeys`);
    await page.click('#passkey-add');
    await page.waitForSelector('#notice');
    await signOut(page);
    // The sign-in page would take the passkey of a device that answers by itself.
    await phone.answers(false);
    await phone.unlocks(false);
    await forget(page);
    await page.waitForSelector('#passkey-submit');
    await phone.answers(true);
    await page.click('#passkey-submit');
    await page.locator('.passkey [role=status]').waitFor();
    // The page takes the passkey of a device that answers by itself; the button would race with that, and so would loading the page
    // again, so that the device is silent while the page asks once more.
    await phone.answers(false);
    await settled(page);
    await phone.unlocks(true);
    await phone.answers(true);
    await page.reload();
    await page.waitForSelector('#reset-submit');
    await phone.remove();
    await choose(page, person);
  }));

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  const person = someone(`recovered-${javaScriptEnabled}`);

  test(`the mailed link leads to a new password, ${how}`, async () => {
    await visit((page) => register(page, application, person));
    await visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, person);
      await forget(page);
      await page.fill('#username', person.username);
      await page.click('#forgot-submit');
      await page.waitForSelector('#resend-submit');
      await page.goto((await mailTo(person.username, about(/reset your password/))).links[0]);
      await page.fill('#password', 'short');
      await page.click('#reset-submit');
      await choose(page, person);
    }, { javaScriptEnabled });
  });

  test(`a connected account leads to a new password, and one that is not connected does not, ${how}`, async () => {
    const linked = someone(`linked-${javaScriptEnabled}`);
    const signInThere = async (page) => {
      await page.waitForURL((url) => url.origin === elsewhere.issuer);
      await signIn(page, { ...linked, password: there });
    };
    await visit((page) => register(page, application, linked));
    await visit(async (page) => {
      await forget(page);
      await page.click('#social-elsewhere');
      await signInThere(page);
      assert.match(await page.innerText('#form-error'), /No account here is connected with that one yet/);
    }, { javaScriptEnabled });
    await visit(async (page) => {
      await page.goto(`${dev.issuer}/account/identities`);
      await signIn(page, linked);
      await page.click('#identity-add-elsewhere');
      await signInThere(page);
      assert.equal(await page.innerText('#notice'), 'Connected.');
    }, { javaScriptEnabled });
    await visit(async (page) => {
      await forget(page);
      await page.click('#social-elsewhere');
      await signInThere(page);
      await choose(page, linked);
    }, { javaScriptEnabled });
  });
}

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of a forgotten password, ${look}`, () =>
    visit(async (page) => {
      await forget(page);
      await page.waitForSelector('#other-ways');
      assert.equal(await page.locator('.or').count(), 1, 'the other ways are announced once');
      await lookAt(page, 'forgot', look);
      await page.click('#sms-link');
      await page.waitForSelector('#sms-number');
      await lookAt(page, 'forgot-sms', look);
    }, options));
}
