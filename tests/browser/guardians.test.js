// Recovery by guardians, as far as a run comes: its time of waiting is hours, so that it ends with the last confirmation or is cancelled.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { about, authorizeUrl, client, dev, isFirstParty, lookAt, looks, mailTo, signIn, visit, withApplication, withBrowser } from './browser.js';
import { makeKnown, register, signOut } from './people.js';

const application = client(isFirstParty);
withBrowser();
withApplication(application);

const someone = (name, called) => ({ username: `${name}@example.com`, password: 'people whom I trust', name: called });

/** Opens a section of the account centre as a person who signs in. */
async function open(page, section, person) {
  await page.goto(`${dev.issuer}/account/${section}`);
  await signIn(page, person);
  await page.waitForSelector('.centre-menu');
}

/** The person invites others, and says what is needed when they have accepted. */
async function choose(owner, guardians, options) {
  await visit(async (page) => {
    await open(page, 'guardians', owner);
    for (const { username } of guardians) {
      await page.fill('#email', username);
      await page.click('#guardian-invite');
      assert.equal(await page.innerText('#notice'), 'We have mailed an invitation.');
    }
  }, options);
  for (const guardian of guardians) {
    const [link] = (await mailTo(guardian.username, about(/asks you to be a guardian/))).links;
    await visit(async (page) => {
      await page.goto(link);
      await signIn(page, guardian);
      await page.click('#guarding-accept-0');
      assert.equal(await page.innerText('#notice'), 'You are a guardian now.');
    }, options);
  }
  await visit(async (page) => {
    await open(page, 'guardians', owner);
    await page.fill('#threshold', '3');
    await page.fill('#wait_hours', '24');
    await page.click('#guardian-rules-submit');
    assert.match(await page.innerText('#threshold-fault'), /no more than the guardians who count/);
    await page.fill('#threshold', '2');
    await page.fill('#wait_hours', '24');
    await page.click('#guardian-rules-submit');
    assert.match(await page.innerText('#guardians-state'), /Your guardians can help you/);
  }, options);
}

/** A guardian types what the person has read out. */
function confirm(guardian, code, options) {
  return visit(async (page) => {
    await page.goto((await mailTo(guardian.username, about(/may need your help/))).links[0]);
    await signIn(page, guardian);
    await page.fill('#code-0', code.startsWith('0') ? '11111111' : '00000000');
    await page.click('#guarding-confirm-0');
    assert.match(await page.innerText('#code-fault'), /That code is wrong/);
    await page.fill('#code-0', code);
    await page.click('#guarding-confirm-0');
    assert.equal(await page.innerText('#notice'), 'Your confirmation counts.');
  }, options);
}

/** The person who has lost everything asks; the code to read out. */
async function ask(page, owner) {
  await page.goto(authorizeUrl(application));
  await page.click('#forgot-link');
  await page.click('#to-guardians');
  await page.fill('#username', owner.username);
  await page.click('#recovery-ask');
  return (await page.innerText('#recovery-code')).replace(/\D/g, '');
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  const owner = someone(`owner-${javaScriptEnabled}`, 'Ida Rhodes');
  const guardians = [someone(`first-${javaScriptEnabled}`, 'Jean Bartik'), someone(`second-${javaScriptEnabled}`, 'Betty Holberton')];

  test(`two guardians confirm a person, who cancels it by the mail after all, ${how}`, async () => {
    for (const person of [owner, ...guardians]) await visit((page) => register(page, application, person));
    await choose(owner, guardians, { javaScriptEnabled });
    await visit(async (page) => {
      if (!javaScriptEnabled) await makeKnown(page, application, owner);
      const code = await ask(page, owner);
      await confirm(guardians[0], code, { javaScriptEnabled });
      await page.goto(`${dev.issuer}/auth/guardians`);
      assert.equal(await page.innerText('#recovery-confirmed'), 'One guardian has confirmed.');
      await confirm(guardians[1], code, { javaScriptEnabled });
      await page.reload();
      assert.match(await page.innerText('#recovery-reached'), /You can choose a new password here from/);
      const [cancel] = (await mailTo(owner.username, about(/will be recovered/))).links;
      await visit(async (other) => {
        await other.goto(cancel);
        await other.click('#recovery-cancel');
        assert.equal(await other.innerText('h1'), 'The recovery is cancelled');
      }, { javaScriptEnabled });
      await page.reload();
      await page.waitForSelector('#recovery-code');
      assert.equal(await page.locator('#recovery-reached').count(), 0, 'as if no one had confirmed');
    }, { javaScriptEnabled });
  });
}

/** The links by which an owner cancels, of the mails that have come. */
async function cancelling({ username }) {
  const { data } = await (await fetch(`${dev.issuer}/dev/inbox.json`)).json();
  const mails = data.filter(({ to, links }) => to === username && links[0]?.includes('/auth/guardians/cancel'));
  return mails.map(({ links }) => links[0]);
}

for (const [look, options] of Object.entries(looks)) {
  test(`the pages of guardians, ${look}`, () =>
    visit(async (page) => {
      const owner = someone('owner-true');
      await page.goto(`${dev.issuer}/auth/guardians/ask`);
      await page.waitForSelector('#recovery-ask');
      await lookAt(page, 'recovery-ask', look);
      const old = await cancelling(owner);
      await ask(page, owner);
      await lookAt(page, 'recovery-status', look);
      const isNew = ({ links }) => links[0]?.includes('/auth/guardians/cancel') && !old.includes(links[0]);
      await page.goto((await mailTo(owner.username, isNew)).links[0]);
      await page.waitForSelector('#recovery-cancel');
      await lookAt(page, 'recovery-cancel', look);
      await open(page, 'guarding', someone('first-true'));
      await page.waitForSelector('#code-0');
      await lookAt(page, 'account-guarding', look);
      await signOut(page);
      await open(page, 'guardians', owner);
      await page.waitForSelector('#recovery-asked');
      await lookAt(page, 'account-guardians', look);
      await page.click('#recovery-cancel');
      await page.waitForSelector('#recovery-asked', { state: 'detached' });
    }, options));
}
