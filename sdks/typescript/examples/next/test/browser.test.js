import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { consent, signIn, visit } from '../../../test/chromium.js';
import { program } from '../../running.js';
import { tests } from '../../server.js';

const NEXT = program(import.meta.url, 'next/dist/bin/next');
const home = tests('Next.js', fileURLToPath(new URL('..', import.meta.url)), [NEXT, 'build'], (port) => [NEXT, 'start', '--port', port]);

test('Next.js: the Pages Router knows the same session', () => visit(async (page) => {
  await page.goto(`${home()}/classic`);
  await signIn(page);
  await consent(page, 'allow');
  await page.waitForURL(`${home()}/classic`);
  assert.ok(await page.textContent('#person'));
}));
