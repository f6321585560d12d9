// A person of one tenant signs in at another: one question, looked at, and in by its button.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client, dev, isFirstParty, lookAt, looks, signIn, visit, withApplication, withBrowser } from './browser.js';
import { register } from './people.js';

const application = client(isFirstParty);
const rosalind = { username: 'rosalind.franklin@example.com', password: 'photograph-fifty-one', name: 'Rosalind Franklin' };
const there = new URL(dev.issuer);
there.hostname = `second.${there.hostname}`;
withBrowser();
withApplication(application);

/** Signs in at the other tenant, as far as the question. */
async function asked(page) {
  await page.goto(`${there.origin}/account`);
  await signIn(page, rosalind);
  await page.waitForSelector('#join-submit');
}

test('a person registers at the first tenant', () => visit((page) => register(page, application, rosalind)));

for (const [look, options] of Object.entries(looks)) {
  test(`the page that asks whether to join, ${look}`, () =>
    visit(async (page) => {
      await asked(page);
      await lookAt(page, 'join', look);
    }, options));
}

test('without scripts the person joins, and is not asked again', async () => {
  await visit(async (page) => {
    await asked(page);
    await page.click('#join-submit');
    await page.waitForSelector('.centre-menu');
    assert.equal(new URL(page.url()).origin, there.origin);
  }, { javaScriptEnabled: false });
  await visit(async (page) => {
    await page.goto(`${there.origin}/account`);
    await signIn(page, rosalind);
    await page.waitForSelector('.centre-menu');
  });
});
