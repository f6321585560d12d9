// The example as `next build` made it, in Chromium, against the running development server (SVC_DEV).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dev, isHasty, program, refusals, renewal, signIn, start, wholeWay, withBrowser } from '../../world.mjs';

const NEXT = program(import.meta.url, 'next/dist/bin/next');
const folder = new URL('..', import.meta.url).pathname;
let example;

before(async () => {
  if (dev) example = await start('Next.js example', folder, [NEXT, 'build'], (port) => [NEXT, 'start', '--port', port]);
});
after(() => example?.stop());

test('a person signs in, uses an API and signs out, here and elsewhere', { skip: !dev }, () => wholeWay(example.home));
test('the API refuses what is no token, and sign-out what comes from elsewhere', { skip: !dev }, () => refusals(example.home));

test('the Pages Router knows the same session', { skip: !dev }, () =>
  withBrowser(async (page) => {
    await page.goto(`${example.home}/classic`);
    await signIn(page);
    await page.waitForURL(`${example.home}/classic`);
    assert.ok(await page.textContent('#person'));
  }));

test('two tabs renew an access token that ends', { skip: !dev || !isHasty }, () => renewal(example.home));

test('nothing that it printed has a token', { skip: !dev }, () => assert.doesNotMatch(example.said(), /eyJ|svc-session/));
