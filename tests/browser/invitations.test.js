// The link of an invitation to an organization: looked at by a newcomer and by another person, and accepted without scripts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { about, dev, lookAt, looks, mailTo, signIn, visit, withBrowser } from './browser.js';
import { management } from './management.js';

const newcomer = 'chien-shiung.wu@example.com';
let newcomers;
let members;
withBrowser();

before(async () => {
  const manage = await management('organizations:write tenant-users:read privileges:grant');
  const [owner] = (await manage('GET', `tenant-users?username=${dev.user.username}`)).data;
  const { id } = await manage('POST', 'organizations', { slug: 'columbia', name: 'Columbia Laboratory', owner_id: owner.id });
  newcomers = await invited(manage, id, newcomer);
  members = await invited(manage, id, 'admin@demo.example');
});

/** Invites an address, and gives the link that is mailed to it. */
async function invited(manage, id, email) {
  await manage('POST', `organizations/${id}/invitations`, { email, roles: [] });
  const { links } = await mailTo(email, about(/Columbia Laboratory/));
  const link = links.find((link) => link.includes('/auth/organization-invitation'));
  assert.ok(link, JSON.stringify(links));
  return link;
}

for (const [look, options] of Object.entries(looks)) {
  test(`the page of an invitation to an organization, ${look}`, () =>
    visit(async (page) => {
      await page.goto(newcomers);
      await page.waitForSelector('#invitation-submit');
      await lookAt(page, 'organization-invitation', look);
      await page.goto(`${dev.issuer}/account`);
      await signIn(page);
      await page.waitForSelector('.centre-menu');
      await page.goto(members);
      await page.waitForSelector('#invitation-other');
      await lookAt(page, 'organization-invitation-other', look);
      await page.click('#invitation-switch');
      await page.waitForSelector('#username');
      assert.equal(await page.inputValue('#username'), 'admin@demo.example');
    }, options));
}

test('without scripts a newcomer accepts with a name and a password', () =>
  visit(async (page) => {
    await page.goto(newcomers);
    await page.fill('#name', 'Chien-Shiung Wu');
    await page.fill('#password', 'parity-is-not-conserved');
    await page.click('#invitation-submit');
    await page.waitForSelector('.card-center #continue-link');
    await page.goto(`${dev.issuer}/account`);
    await signIn(page, { username: newcomer, password: 'parity-is-not-conserved' });
    await page.waitForSelector('.centre-menu');
  }, { javaScriptEnabled: false }));
