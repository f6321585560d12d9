// openid-client asks for claims by name, for a strength of sign-in and for something in detail, and gets what it asked for.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { claimsOf, dev, signingKey } from './demo.js';
import { Person } from './person.js';

const CALLBACK = 'http://localhost:8770/callback';
const NOTES = 'https://api.demo.example';
const DETAIL = { type: 'share_note', title: 'Sketch of the engine', recipient: 'Charles', actions: ['read', 'comment'] };

describe('openid-client, asking precisely', { concurrency: 1 }, () => {
  const person = new Person(dev.user);
  let config;
  let tokens;

  before(async () => {
    const { jwk, key } = await signingKey();
    const metadata = {
      client_name: 'Asks precisely',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk] },
      scope: 'openid profile email offline_access notes:read',
      authorization_details_types: ['share_note'],
    };
    config = await oidc.dynamicClientRegistration(new URL(dev.issuer), metadata, oidc.PrivateKeyJwt(key), {
      execute: [oidc.allowInsecureRequests],
    });
  });

  /** A pushed request with these parameters, until the browser comes back. */
  async function asked(parameters) {
    const verifier = oidc.randomPKCECodeVerifier();
    const expectedState = oidc.randomState();
    const address = await oidc.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: CALLBACK,
      scope: 'openid offline_access notes:read',
      resource: NOTES,
      state: expectedState,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
    const back = await person.visit(address, CALLBACK);
    return oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState });
  }

  test('discovery says that all of it can be asked for', () => {
    const server = config.serverMetadata();
    assert.equal(server.claims_parameter_supported, true);
    assert.ok(server.acr_values_supported.includes('urn:svc:aal1'));
    assert.ok(server.authorization_details_types_supported.includes('share_note'));
  });

  test('the person reads a sentence, and the tokens carry the details', async () => {
    const claims = { id_token: { email: null, acr: { essential: true, value: 'urn:svc:aal1' } }, userinfo: { name: null } };
    tokens = await asked({ claims: JSON.stringify(claims), authorization_details: JSON.stringify([DETAIL]) });
    assert.deepEqual(tokens.authorization_details, [DETAIL]);
    assert.deepEqual(claimsOf(tokens.access_token).authorization_details, [DETAIL]);
    assert.equal(typeof tokens.claims().email, 'string');
    assert.equal(tokens.claims().acr, 'urn:svc:aal1');
    assert.equal(tokens.claims().name, undefined);
  });

  test('introspection tells the details, and a refresh can ask for less of them', async () => {
    const state = await oidc.tokenIntrospection(config, tokens.access_token);
    assert.deepEqual(state.authorization_details, [DETAIL]);
    const less = [{ ...DETAIL, actions: ['read'] }];
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token, {
      authorization_details: JSON.stringify(less),
    });
    assert.deepEqual(refreshed.authorization_details, less);
    const more = JSON.stringify([{ ...DETAIL, recipient: 'everybody' }]);
    await assert.rejects(oidc.refreshTokenGrant(config, refreshed.refresh_token, { authorization_details: more }), {
      error: 'invalid_authorization_details',
    });
  });

  test('a claim that was asked for by name is told at UserInfo without its scope', async () => {
    const claims = JSON.stringify({ userinfo: { given_name: { essential: true } } });
    const told = await asked({ claims, resource: dev.issuer, scope: 'openid' });
    const info = await oidc.fetchUserInfo(config, told.access_token, told.claims().sub);
    assert.deepEqual(Object.keys(info).sort(), ['given_name', 'sub']);
  });

  test('details that do not fit, and a strength that no method reaches, are refused by name', async () => {
    const wrong = JSON.stringify([{ type: 'share_note', title: 'Sketch' }]);
    await assert.rejects(asked({ authorization_details: wrong }), { error: 'invalid_authorization_details' });
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:svc:aal3' } } });
    await assert.rejects(asked({ claims }), { error: 'unmet_authentication_requirements' });
  });
});
