// Tokens that are bound to a key (RFC 9449), as the npm package openid-client asks for and uses them (SVC_DEV).
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { Person } from './person.js';

const dev = JSON.parse(process.env.SVC_DEV);

for (const method of ['none', 'client_secret_basic']) {
  describe(`openid-client with DPoP, ${method}`, { concurrency: 1 }, () => {
    const registered = dev.clients.find(
      (client) => client.token_endpoint_auth_method === method && !client.name?.includes('Third-party'),
    );
    const person = new Person(dev.user);
    let config;
    let key;
    let tokens;

    before(async () => {
      const authentication = method === 'none' ? oidc.None() : oidc.ClientSecretBasic(registered.client_secret);
      config = await oidc.discovery(new URL(dev.issuer), registered.client_id, undefined, authentication, {
        execute: [oidc.allowInsecureRequests],
      });
      key = await newKey(config);
      tokens = await signIn(config, registered, person, key);
    });

    test('discovery names the algorithms of proofs', () => {
      assert.deepEqual(config.serverMetadata().dpop_signing_alg_values_supported, ['ES256', 'EdDSA', 'Ed25519', 'PS256']);
    });

    test('the tokens carry the thumbprint of the key', async () => {
      assert.equal(tokens.token_type, 'dpop');
      assert.equal(confirmation(tokens.access_token), await key.calculateThumbprint());
    });

    test('UserInfo answers the holder of the key and no other client', async () => {
      const { sub } = tokens.claims();
      const claims = await oidc.fetchUserInfo(config, tokens.access_token, sub, { DPoP: key });
      assert.equal(claims.sub, sub);
      const thief = await newKey(config);
      const stolen = oidc.fetchUserInfo(config, tokens.access_token, sub, { DPoP: thief });
      await assert.rejects(stolen, (error) => refusal(error) === 'invalid_dpop_proof');
      const bearer = oidc.fetchUserInfo(config, tokens.access_token, sub);
      await assert.rejects(bearer, (error) => refusal(error) === 'invalid_token');
    });

    test('a code that is bound to a key is of no use with another', async () => {
      const dpop_jkt = await key.calculateThumbprint();
      const bound = await signIn(config, registered, person, key, { dpop_jkt });
      assert.equal(confirmation(bound.access_token), dpop_jkt);
      const stolen = signIn(config, registered, person, await newKey(config), { dpop_jkt });
      await assert.rejects(stolen, { error: 'invalid_grant' });
    });

    test('a public application refreshes with its key only, a confidential one with any', async () => {
      const other = await newKey(config);
      const attempt = oidc.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP: other });
      if (method === 'none') {
        await assert.rejects(attempt, { error: 'invalid_grant' });
        await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_dpop_proof' });
        const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP: key });
        assert.equal(confirmation(refreshed.access_token), await key.calculateThumbprint());
      } else {
        assert.equal(confirmation((await attempt).access_token), await other.calculateThumbprint());
      }
    });

    test('an Ed25519 key and an RSA-PSS key will do as well', async () => {
      for (const algorithm of ['Ed25519', 'PS256']) {
        const another = oidc.getDPoPHandle(config, await keyPair(algorithm));
        const bound = await signIn(config, registered, person, another);
        assert.equal(confirmation(bound.access_token), await another.calculateThumbprint());
      }
    });
  });
}

async function newKey(config) {
  return oidc.getDPoPHandle(config, await keyPair('ES256'));
}

function keyPair(algorithm) {
  return oidc.randomDPoPKeyPair(algorithm);
}

function confirmation(token) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url')).cnf?.jkt;
}

/** The error code of a challenge, whichever way the library reports it. */
function refusal(error) {
  const challenges = error.cause?.map?.(({ parameters }) => parameters.error) ?? [];
  return challenges[0] ?? error.error;
}

async function signIn(config, registered, person, key, extra = {}) {
  const redirect_uri = registered.redirect_uris[0];
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const expectedState = oidc.randomState();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile email offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...extra,
  });
  const reached = await person.visit(url, redirect_uri);
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true };
  return oidc.authorizationCodeGrant(config, reached, checks, undefined, { DPoP: key });
}
