// Settings that are absent, or would make sessions of no one.
import { expect, test } from 'vitest';
import { createAuth, createAuthorizationUrl } from '../src/index.js';
import { optionsOf } from './browser.js';
import { Issuer } from './issuer.js';

test('a session needs openid, which a sign-in by hand may do without', async () => {
  const options = { ...optionsOf(await Issuer.make()), scopes: ['notes:read', 'offline_access'] };
  expect(() => createAuth(options)).toThrow(expect.objectContaining({ code: 'invalid_configuration', message: 'scopes must have openid.' }));
  expect((await createAuthorizationUrl(options)).url).toContain('scope=notes%3Aread+offline_access');
});

test('what is absent from the environment is named', async () => {
  const options = { ...optionsOf(await Issuer.make()), postLogoutRedirectUri: '/' };
  const said = (absent: object): unknown => {
    try {
      return createAuth({ ...options, ...absent });
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(said({ issuer: undefined, redirectUri: undefined, cookieSecrets: [] })).toBe('issuer is missing.');
  expect(said({ redirectUri: undefined, cookieSecrets: [] })).toBe('redirectUri is missing.');
  expect(said({ cookieSecrets: [] })).toMatch(/^cookieSecrets: at least one secret/);
});
