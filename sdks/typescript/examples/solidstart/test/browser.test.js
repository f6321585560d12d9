// The example as `vinxi build` made it, in Chromium, against the running development server (SVC_DEV).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dev, isHasty, program, refusals, renewal, start, wholeWay } from '../../world.mjs';

const VINXI = program(import.meta.url, 'vinxi/bin/cli.mjs');
const folder = new URL('..', import.meta.url).pathname;
let example;

before(async () => {
  if (dev) example = await start('SolidStart example', folder, [VINXI, 'build'], () => ['.output/server/index.mjs']);
});
after(() => example?.stop());

test('a person signs in, uses an API and signs out, here and elsewhere', { skip: !dev }, () => wholeWay(example.home));
test('the API refuses what is no token, and sign-out what comes from elsewhere', { skip: !dev }, () => refusals(example.home));
test('two tabs renew an access token that ends', { skip: !dev || !isHasty }, () => renewal(example.home));

test('nothing that it printed has a token', { skip: !dev }, () => assert.doesNotMatch(example.said(), /eyJ|svc-session/));
