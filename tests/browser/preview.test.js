// The preview of a look: a draft is shown while it is typed, and saved nowhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dev, lookAt, looks, signIn, visit, withBrowser } from './browser.js';

withBrowser();

/** Opens the page as an administrator. */
async function open(page) {
  await page.goto(`${dev.issuer}/account/preview`);
  await signIn(page, dev.admin);
  await page.waitForSelector('#preview-frame');
}

const inside = (page) => page.getAttribute('#preview-frame', 'srcdoc');

test('what is shown wears its stylesheet, though its frame may do nothing', () =>
  visit(async (page) => {
    await open(page);
    const frame = await (await page.$('#preview-frame')).contentFrame();
    await frame.waitForFunction(() => getComputedStyle(document.querySelector('.card')).borderTopLeftRadius !== '0px');
    assert.equal(await frame.evaluate(() => document.body.inert), true);
  }));

// The styles of the draft pass the policy of the page, or the browser complains.
test('a draft is shown in its look while it is typed', () =>
  visit(async (page) => {
    await open(page);
    assert.ok(!(await inside(page)).includes('#8a2be2'));
    await page.fill('#accent', '#8a2be2');
    await page.waitForSelector('#preview-frame[srcdoc*="#8a2be2"]');
    await page.goto(`${dev.issuer}/account/preview`);
    assert.ok(!(await inside(page)).includes('#8a2be2'), 'nothing was saved');
  }));

for (const [look, options] of Object.entries(looks)) {
  test(`the preview, ${look}`, () =>
    visit(async (page) => {
      await open(page);
      await lookAt(page, 'preview', look);
    }, options));
}
