// openid-client registers itself and signs people in with keys of its own: private_key_jwt, pushed and signed requests.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import * as oidc from 'openid-client';
import { Person } from './person.js';

const dev = JSON.parse(process.env.SVC_DEV);
const CALLBACK = 'http://localhost:8768/callback';
const SCOPE = 'openid profile email offline_access';
const insecure = { execute: [oidc.allowInsecureRequests] };

async function keys() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { jwk: { ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256', use: 'sig' }, key: { key: privateKey, kid: 'a' } };
}

describe('openid-client, registered by itself', { concurrency: 1 }, () => {
  const person = new Person(dev.user);
  let config;
  let registered;
  let key;
  let tokens;

  before(async () => {
    const pair = await keys();
    key = pair.key;
    const metadata = {
      client_name: 'Registered by openid-client',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [pair.jwk] },
      require_pushed_authorization_requests: true,
      scope: SCOPE,
    };
    const authentication = oidc.PrivateKeyJwt(key);
    config = await oidc.dynamicClientRegistration(new URL(dev.issuer), metadata, authentication, insecure);
    registered = config.clientMetadata();
  });

  test('the answer echoes what counts', () => {
    assert.equal(registered.token_endpoint_auth_method, 'private_key_jwt');
    assert.equal(registered.client_secret, undefined);
    assert.equal(registered.subject_type, 'pairwise');
    assert.equal(registered.registration_client_uri, `${dev.issuer}/oauth/register/${registered.client_id}`);
  });

  test('a signed and pushed request gives tokens, with keys for every proof', async () => {
    const verifier = oidc.randomPKCECodeVerifier();
    const expected = { expectedState: oidc.randomState(), expectedNonce: oidc.randomNonce(), pkceCodeVerifier: verifier };
    const signed = await oidc.buildAuthorizationUrlWithJAR(
      config,
      {
        redirect_uri: CALLBACK,
        scope: SCOPE,
        state: expected.expectedState,
        nonce: expected.expectedNonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      },
      key,
    );
    const address = await oidc.buildAuthorizationUrlWithPAR(config, signed.searchParams);
    assert.match(address.searchParams.get('request_uri'), /^urn:ietf:params:oauth:request_uri:/);
    const back = await person.visit(address, CALLBACK);
    tokens = await oidc.authorizationCodeGrant(config, back, expected);
    assert.equal(tokens.claims().aud, registered.client_id);
    const claims = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub);
    assert.equal(typeof claims.email, 'string');
  });

  test('introspection and refresh know the same pairwise subject', async () => {
    const { sub } = tokens.claims();
    const state = await oidc.tokenIntrospection(config, tokens.access_token);
    assert.deepEqual([state.active, state.sub], [true, sub]);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(refreshed.claims().sub, sub);
  });

  test('a request that is not pushed is refused, as registered', async () => {
    const address = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: SCOPE });
    const reply = await fetch(address, { redirect: 'manual' });
    const location = reply.headers.get('location');
    const refusal = location ? new URL(location).searchParams.get('error') : reply.status;
    assert.ok(refusal === 'invalid_request' || refusal === 400, String(refusal));
  });

  test('the registration is read, replaced and deleted with its own token', async () => {
    const uri = registered.registration_client_uri;
    const headers = { authorization: `Bearer ${registered.registration_access_token}`, 'content-type': 'application/json' };
    const read = await (await fetch(uri, { headers })).json();
    assert.equal(read.client_name, 'Registered by openid-client');
    const body = JSON.stringify({ ...read, client_name: 'Renamed' });
    assert.equal((await (await fetch(uri, { method: 'PUT', headers, body })).json()).client_name, 'Renamed');
    assert.equal((await fetch(uri, { method: 'DELETE', headers })).status, 204);
    await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token), { status: 401 });
  });
});
