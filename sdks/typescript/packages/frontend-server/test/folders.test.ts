// Folders that are guarded, under every spelling that a router may take for them.
import { expect, test } from 'vitest';
import { isWithin } from '../src/index.js';

test.each([
  '/account', '/account/', '/account/bills', '/%61ccount', '/ACCOUNT', '//account', '/account%2Fbills', '/account%5Cbills', '/%', '/caf%C3%A9', '/caf%c3%a9/x',
])('%s is within', (path) => {
  expect(isWithin(path, ['/account', '/caf%C3%A9'])).toBe(true);
});

test.each(['/', '/accounting', '/my/account', '/%2561ccount'])('%s is not', (path) => {
  expect(isWithin(path, ['/account/', '/café'])).toBe(false);
});

test('the folder of everything has every path, and no folder has one', () => {
  expect(isWithin('/anything', ['/'])).toBe(true);
  expect(isWithin('/%', [])).toBe(false);
});
