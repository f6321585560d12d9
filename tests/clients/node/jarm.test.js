// Signed authorization responses (JARM), as the npm package openid-client asks for and verifies them (SVC_DEV).
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { dev } from './demo.js';
import { Person } from './person.js';

for (const method of ['none', 'client_secret_basic']) {
  describe(`openid-client with signed responses, ${method}`, { concurrency: 1 }, () => {
    const registered = dev.clients.find(
      (client) => client.token_endpoint_auth_method === method && !client.name?.includes('Third-party'),
    );
    const person = new Person(dev.user);
    const redirect_uri = registered.redirect_uris[0];
    let config;

    before(async () => {
      const authentication = method === 'none' ? oidc.None() : oidc.ClientSecretBasic(registered.client_secret);
      config = await oidc.discovery(new URL(dev.issuer), registered.client_id, undefined, authentication, {
        execute: [oidc.allowInsecureRequests, oidc.useJwtResponseMode],
      });
    });

    async function asked(parameters) {
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
      const expectedState = oidc.randomState();
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri,
        scope: 'openid profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        ...parameters,
      });
      assert.equal(address.searchParams.get('response_mode'), 'jwt');
      return { back: await person.visit(address, redirect_uri), checks: { pkceCodeVerifier, expectedState } };
    }

    test('a signed response gives verified tokens, and says nothing outside of the signature', async () => {
      const { back, checks } = await asked({});
      assert.deepEqual([...back.searchParams.keys()], ['response']);
      const tokens = await oidc.authorizationCodeGrant(config, back, { ...checks, idTokenExpected: true });
      assert.equal(tokens.claims().aud, registered.client_id);
    });

    test('a signed refusal is told by its code', async () => {
      const { back, checks } = await asked({ max_age: 'soon' });
      await assert.rejects(oidc.authorizationCodeGrant(config, back, checks), { error: 'invalid_request' });
    });

    test('a response that was changed on the way is refused by the library', async () => {
      const { back, checks } = await asked({});
      const [header, payload, signature] = back.searchParams.get('response').split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url'));
      const forged = Buffer.from(JSON.stringify({ ...claims, code: 'of-an-attacker' })).toString('base64url');
      back.searchParams.set('response', [header, forged, signature].join('.'));
      await assert.rejects(oidc.authorizationCodeGrant(config, back, checks), { code: 'OAUTH_INVALID_RESPONSE' });
    });
  });
}
