// What a person decides for a device and for an application elsewhere, with a browser that runs scripts and one that does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, dev, poll, service, signIn, startDevice, visit, withBrowser } from './browser.js';

withBrowser();

for (const [scripts, options] of [['with scripts', {}], ['without scripts', { javaScriptEnabled: false }]]) {
  test(`a person enters the code of a device and allows it, ${scripts}`, () =>
    visit(async (page) => {
      const device = await startDevice();
      await page.goto(device.verification_uri);
      await signIn(page);
      await page.fill('#user_code', 'BCDF-GHJK');
      await page.click('#device-submit');
      await page.waitForSelector('#form-error');
      await page.fill('#user_code', device.user_code.toLowerCase());
      await page.click('#device-submit');
      await page.waitForSelector('#approval-allow-0');
      const text = await page.innerText('main');
      for (const shown of [device.user_code, service.name, 'See your profile']) assert.ok(text.includes(shown), text);
      assert.equal((await poll(device)).error, 'authorization_pending');
      await page.click('#approval-allow-0');
      await page.waitForSelector('.card-center');
      assert.match(await page.innerText('main'), /go back to your device/);
      assert.ok((await poll(device)).access_token);
    }, options));

  test(`a code in the address is filled in and waits for the person, who refuses, ${scripts}`, () =>
    visit(async (page) => {
      const device = await startDevice();
      await page.goto(device.verification_uri_complete);
      await signIn(page);
      await page.waitForSelector('#device-submit');
      assert.equal(await page.inputValue('#user_code'), device.user_code);
      await page.click('#device-submit');
      await page.click('#approval-deny-0');
      await page.waitForSelector('.card-center');
      assert.equal((await poll(device)).error, 'access_denied');
    }, options));

  test(`a request from elsewhere waits in the inbox until it is allowed, ${scripts}`, () =>
    visit(async (page) => {
      const request = await ask('ada@demo.example', 'COMPARE-42');
      await page.goto(`${dev.issuer}/auth/approvals`);
      await signIn(page);
      const section = page.locator('section', { hasText: 'COMPARE-42' });
      assert.ok((await section.innerText()).includes(service.name));
      await section.locator('[id^=approval-allow]').click();
      await page.waitForSelector('.card-center');
      const { id_token } = await poll(request);
      assert.ok(id_token);
      await page.goto(`${dev.issuer}/auth/approvals`);
      assert.equal(await page.locator('section', { hasText: 'COMPARE-42' }).count(), 0);
    }, options));
}

test('one request of several is refused, and the page leads on to the others', () =>
  visit(async (page) => {
    const [first, second] = [await ask('ada', 'FIRST-1'), await ask('ada', 'SECOND-2')];
    await page.goto(`${dev.issuer}/auth/approvals`);
    await signIn(page);
    await page.locator('section', { hasText: 'FIRST-1' }).locator('[id^=approval-deny]').click();
    await page.waitForSelector('.card-center');
    assert.equal((await poll(first)).error, 'access_denied');
    assert.equal((await poll(second)).error, 'authorization_pending');
    await page.click('#continue-link');
    await page.locator('section', { hasText: 'SECOND-2' }).locator('[id^=approval-deny]').click();
    await page.waitForSelector('.card-center');
    assert.equal(await page.getAttribute('#continue-link', 'href'), '/');
  }));
