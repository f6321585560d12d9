// The API reference: it signs in by itself, calls the API, reads without scripts, and can be read in light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, dev, signIn, visit, withBrowser } from './browser.js';

withBrowser();

test('an administrator signs in from the reference and calls an operation', () =>
  visit(async (page) => {
    await page.goto(`${dev.issuer}/`);
    await page.click('#reference-sign-in');
    await signIn(page, dev.admin);
    await page.waitForSelector('#credential-state:not([hidden])');
    assert.match(await page.textContent('#credential-state'), /^Signed in/);
    assert.equal(new URL(page.url()).search, '');
    await page.click('#get_applications > summary');
    await page.click('#get_applications [data-send]');
    const answer = page.locator('#get_applications [data-answer]');
    await answer.waitFor();
    assert.match(await answer.textContent(), /^200 [^]*"handle": "api-reference"/);
  }));

test('the reference reads without scripts', () =>
  visit(
    async (page) => {
      await page.goto(`${dev.issuer}/`);
      await page.click('#post_applications > summary');
      const text = await page.innerText('#post_applications');
      assert.match(text, /applications:write/);
      assert.match(text, /redirect_uris/);
      assert.equal(await page.isVisible('#post_applications [data-send]'), false);
    },
    { javaScriptEnabled: false },
  ));

for (const colorScheme of ['light', 'dark']) {
  test(`every operation of the reference has contrast, ${colorScheme}`, () =>
    visit(
      async (page) => {
        await page.goto(`${dev.issuer}/`);
        await page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
        assert.deepEqual(await accessibilityFaults(page), []);
      },
      { colorScheme },
    ));
}

test('the reference is small for what it describes', async () => {
  const page = await fetch(`${dev.issuer}/`);
  const html = await page.text();
  const assets = [...html.matchAll(/"(\/auth\/assets\/[^"]+)"/g)].map(([, path]) => path);
  const sizes = await Promise.all(
    assets.map(async (path) => (await (await fetch(dev.issuer + path)).arrayBuffer()).byteLength),
  );
  const size = html.length + sizes.reduce((sum, bytes) => sum + bytes, 0);
  const { paths } = await (await fetch(`${dev.issuer}/openapi.json`)).json();
  const operations = Object.values(paths).reduce((sum, path) => sum + Object.keys(path).length, 0);
  assert.ok(size < 100_000 + 2_400 * operations, `${size} bytes for ${operations} operations`);
});
