// Settings that would make sessions of no one.
import { expect, test } from 'vitest';
import { createAuth, createAuthorizationUrl } from '../src/index.js';
import { optionsOf } from './browser.js';
import { Issuer } from './issuer.js';

test('a session needs openid, which a sign-in by hand may do without', async () => {
  const options = { ...optionsOf(await Issuer.make()), scopes: ['notes:read', 'offline_access'] };
  expect(() => createAuth(options)).toThrow(expect.objectContaining({ code: 'invalid_configuration', message: 'scopes must have openid.' }));
  expect((await createAuthorizationUrl(options)).url).toContain('scope=notes%3Aread+offline_access');
});
