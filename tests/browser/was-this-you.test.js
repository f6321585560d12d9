// What only the second instance shows: the link of a mail about a new sign-in, and the page at its bare address.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { about, lookAt, looks, mailTo, signIn, visit, withBrowser } from './browser.js';
import { management } from './management.js';

const elsewhere = JSON.parse(process.env.SVC_ELSEWHERE).dev;
const lise = { username: 'lise.meitner@example.com', password: 'a-walk-in-the-snow-1938' };
/** The link that was mailed to her. */
let link;
withBrowser();

before(async () => {
  const manage = await management('tenant-users:write privileges:grant', elsewhere);
  const { id } = await manage('POST', 'tenant-users', { email: lise.username, name: 'Lise Meitner' });
  await manage('PUT', `tenant-users/${id}/password`, { password: lise.password });
});

/** Signs in with the browser of this visit. */
async function enter(page) {
  await page.goto(`${elsewhere.issuer}/account`);
  await signIn(page, lise);
  await page.waitForSelector('.centre-menu');
}

test('a sign-in with another browser than the first is mailed to the owner', async () => {
  await visit(enter);
  await visit(enter);
  const { links } = await mailTo(lise.username, about(/a new sign-in to your account/), elsewhere);
  link = links.find((link) => link.includes('/auth/was-this-you'));
  assert.ok(link, JSON.stringify(links));
});

for (const [look, options] of Object.entries(looks)) {
  test(`the page of a new sign-in and that of the bare address, ${look}`, () =>
    visit(async (page) => {
      await page.goto(link);
      await page.waitForSelector('#was-this-you-no');
      await lookAt(page, 'was-this-you', look);
      await page.goto(`${elsewhere.issuer}/`);
      await lookAt(page, 'start', look);
    }, options));
}

test('without scripts a no leads to a new password', () =>
  visit(async (page) => {
    await page.goto(link);
    await page.click('#was-this-you-no');
    await page.waitForSelector('#reset-submit');
  }, { javaScriptEnabled: false }));
