// The npm package openid-client, as an application would use it, against a running development server (SVC_DEV).
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oidc from 'openid-client';
import { Person } from './person.js';

const dev = JSON.parse(process.env.SVC_DEV);
const SCOPE = 'openid profile email offline_access';

for (const method of ['none', 'client_secret_basic']) {
  describe(`openid-client, ${method}`, { concurrency: 1 }, () => {
    const registered = dev.clients.find(
      (client) => client.token_endpoint_auth_method === method && !client.name?.includes('Third-party'),
    );
    const person = new Person(dev.user);
    let config;
    let tokens;

    before(async () => {
      const authentication = method === 'none' ? oidc.None() : oidc.ClientSecretBasic(registered.client_secret);
      config = await oidc.discovery(new URL(dev.issuer), registered.client_id, undefined, authentication, {
        execute: [oidc.allowInsecureRequests],
      });
      tokens = await signIn(config, registered, person);
    });

    test('discovery names the issuer and its endpoints', () => {
      const server = config.serverMetadata();
      assert.equal(server.issuer, dev.issuer);
      assert.ok(server.supportsPKCE('S256'));
      assert.equal(server.authorization_response_iss_parameter_supported, true);
    });

    test('code with PKCE gives verified tokens', () => {
      assert.equal(tokens.token_type, 'bearer');
      assert.equal(tokens.claims().iss, dev.issuer);
      assert.equal(tokens.claims().aud, registered.client_id);
      assert.ok(tokens.refresh_token);
    });

    test('UserInfo tells the subject of the ID token and the granted claims', async () => {
      const { sub } = tokens.claims();
      const claims = await oidc.fetchUserInfo(config, tokens.access_token, sub);
      assert.equal(claims.sub, sub);
      assert.equal(typeof claims.email, 'string');
      assert.equal(typeof claims.email_verified, 'boolean');
    });

    test('a silent second sign-in keeps subject and time of authentication', async () => {
      const again = await signIn(config, registered, person, { prompt: 'none' });
      assert.equal(again.claims().sub, tokens.claims().sub);
      assert.equal(again.claims().auth_time, tokens.claims().auth_time);
    });

    test('a refresh gives a new access token for the same person', async () => {
      const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
      assert.notEqual(refreshed.access_token, tokens.access_token);
      if (refreshed.id_token) assert.equal(refreshed.claims().sub, tokens.claims().sub);
      if (method === 'none') assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
      tokens = Object.assign(tokens, { refresh_token: refreshed.refresh_token ?? tokens.refresh_token });
    });

    test('introspection tells an active token', { skip: method === 'none' && 'needs a secret' }, async () => {
      const answer = await oidc.tokenIntrospection(config, tokens.access_token);
      assert.equal(answer.active, true);
      assert.equal(answer.client_id, registered.client_id);
    });

    test('client_credentials gives a token of the application', { skip: method === 'none' && 'needs a secret' }, async () => {
      const answer = await oidc.clientCredentialsGrant(config);
      assert.equal(answer.access_token.split('.').length, 3);
      assert.equal(answer.refresh_token, undefined);
    });

    test('a revoked refresh token is refused', async () => {
      await oidc.tokenRevocation(config, tokens.refresh_token);
      await assert.rejects(oidc.refreshTokenGrant(config, tokens.refresh_token), { error: 'invalid_grant' });
    });

    test('a logout returns to the application and ends the session', async () => {
      const target = registered.post_logout_redirect_uris[0];
      const url = oidc.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token,
        post_logout_redirect_uri: target,
        state: 'bye',
      });
      const reached = await person.visit(url, target);
      assert.equal(reached.searchParams.get('state'), 'bye');
      await assert.rejects(signIn(config, registered, person, { prompt: 'none' }), { error: 'login_required' });
    });
  });
}

async function signIn(config, registered, person, extra = {}) {
  const redirect_uri = registered.redirect_uris[0];
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const expectedState = oidc.randomState();
  const expectedNonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: SCOPE,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    max_age: '3600',
    ...extra,
  });
  const reached = await person.visit(url, redirect_uri);
  return oidc.authorizationCodeGrant(config, reached, {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    maxAge: 3600,
    idTokenExpected: true,
  });
}
