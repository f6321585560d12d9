// Every endpoint one by one with oauth4webapi, which hides nothing: each request is made, and each answer verified, by name.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { application, claimsOf, dev, signingKey } from './demo.js';
import { Person } from './person.js';

const insecure = { [oauth.allowInsecureRequests]: true };
const CALLBACK = 'http://localhost:8769/callback';
const SIGNED_OUT = 'http://localhost:8769/signed-out';
const NOTES = 'https://api.demo.example';
const SCOPE = 'openid profile email offline_access notes:read';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

describe('oauth4webapi', { concurrency: 1 }, () => {
  const person = new Person(dev.user);
  let as;
  let client;
  let key;
  let authentication;
  let DPoP;
  let tokens;

  before(async () => {
    const issuer = new URL(dev.issuer);
    as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const pair = await signingKey();
    key = pair.key;
    const metadata = {
      client_name: 'Registered by oauth4webapi',
      redirect_uris: [CALLBACK],
      post_logout_redirect_uris: [SIGNED_OUT],
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:openid:params:grant-type:ciba',
      ],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES256',
      jwks: { keys: [pair.jwk] },
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      scope: SCOPE,
    };
    const registered = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure);
    client = await oauth.processDynamicClientRegistrationResponse(registered);
    authentication = oauth.PrivateKeyJwt(key);
    DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
  });

  /** A request of a protected resource's, as its server receives it. */
  async function atResource(url, proofs = DPoP) {
    const received = {};
    const options = {
      ...insecure,
      DPoP: proofs,
      [oauth.customFetch]: async (address, { method, headers }) => {
        received.request = new Request(address, { method, headers });
        return new Response();
      },
    };
    await oauth.protectedResourceRequest(tokens.access_token, 'GET', url, new Headers(), null, options);
    return received.request;
  }

  /** Tokens after a pushed request with a proof. */
  async function signedIn(asked) {
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      response_type: 'code',
      redirect_uri: CALLBACK,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...asked,
    };
    const options = { ...insecure, DPoP };
    const reply = await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, options);
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, reply);
    const address = new URL(as.authorization_endpoint);
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri });
    const back = oauth.validateAuthResponse(as, client, await person.visit(address, CALLBACK), oauth.expectNoState);
    const granted = await oauth.authorizationCodeGrantRequest(as, client, authentication, back, CALLBACK, verifier, options);
    return oauth.processAuthorizationCodeResponse(as, client, granted, { requireIdToken: true });
  }

  async function introspect(token) {
    const reply = await oauth.introspectionRequest(as, client, authentication, token, insecure);
    return oauth.processIntrospectionResponse(as, client, reply);
  }

  /** The code with which the server refused something. */
  async function refusal(promise) {
    const error = await promise.then(() => assert.fail('it was not refused'), (thrown) => thrown);
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) return error.error;
    return (await error.response.json()).error;
  }

  test('a signed request is pushed with a proof, and its code gives tokens that verify', async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const parameters = {
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: SCOPE,
      resource: NOTES,
      state,
      nonce,
      max_age: '3600',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const request = await oauth.issueRequestObject(as, client, parameters, key);
    const options = { ...insecure, DPoP };
    const reply = await oauth.pushedAuthorizationRequest(as, client, authentication, { request }, options);
    assert.equal(reply.status, 201);
    const pushed = await oauth.processPushedAuthorizationResponse(as, client, reply);
    const address = new URL(as.authorization_endpoint);
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri: pushed.request_uri });

    const back = oauth.validateAuthResponse(as, client, await person.visit(address, CALLBACK), state);
    const granted = await oauth.authorizationCodeGrantRequest(as, client, authentication, back, CALLBACK, verifier, options);
    const expected = { expectedNonce: nonce, maxAge: 3600, requireIdToken: true };
    tokens = await oauth.processAuthorizationCodeResponse(as, client, granted, expected);
    await oauth.validateApplicationLevelSignature(as, granted, insecure);
    assert.equal(tokens.token_type, 'dpop');
    assert.deepEqual(tokens.scope.split(' ').sort(), SCOPE.split(' ').sort());
  });

  test('a proof of another key at the token endpoint gets nothing for a code that was pushed with one', async () => {
    const verifier = oauth.generateRandomCodeVerifier();
    const parameters = {
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const reply = await oauth.pushedAuthorizationRequest(as, client, authentication, parameters, { ...insecure, DPoP });
    const { request_uri } = await oauth.processPushedAuthorizationResponse(as, client, reply);
    const address = new URL(as.authorization_endpoint);
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri });
    const back = oauth.validateAuthResponse(as, client, await person.visit(address, CALLBACK), oauth.expectNoState);
    const thief = { ...insecure, DPoP: oauth.DPoP(client, await oauth.generateKeyPair('ES256')) };
    const stolen = await oauth.authorizationCodeGrantRequest(as, client, authentication, back, CALLBACK, verifier, thief);
    assert.equal(await refusal(oauth.processAuthorizationCodeResponse(as, client, stolen)), 'invalid_grant');
  });

  test('an assertion of another key, and a client without one, are refused', async () => {
    const stranger = oauth.PrivateKeyJwt((await signingKey()).key);
    for (const who of [stranger, oauth.None()]) {
      const reply = await oauth.pushedAuthorizationRequest(as, client, who, { response_type: 'code' }, insecure);
      assert.equal(reply.status, 401);
      assert.equal(await refusal(oauth.processPushedAuthorizationResponse(as, client, reply)), 'invalid_client');
    }
  });

  test('UserInfo answers about the subject of the ID token, and refuses a token for an API', async () => {
    const own = await signedIn({ scope: 'openid email' });
    const { sub } = oauth.getValidatedIdTokenClaims(own);
    const reply = await oauth.userInfoRequest(as, client, own.access_token, { ...insecure, DPoP });
    assert.equal((await oauth.processUserInfoResponse(as, client, sub, reply)).email, 'ada@demo.example');
    const unbound = await oauth.userInfoRequest(as, client, own.access_token, insecure);
    const ofAnApi = await oauth.userInfoRequest(as, client, tokens.access_token, { ...insecure, DPoP });
    for (const { status, headers } of [unbound, ofAnApi]) {
      assert.equal(status, 401);
      assert.match(headers.get('www-authenticate'), /^DPoP .*error="invalid_token"/);
    }
  });

  test('a refresh keeps the subject, and takes the keys again', async () => {
    const { sub } = oauth.getValidatedIdTokenClaims(tokens);
    const reply = await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, { ...insecure, DPoP });
    const refreshed = await oauth.processRefreshTokenResponse(as, client, reply);
    assert.equal(oauth.getValidatedIdTokenClaims(refreshed).sub, sub);
    tokens = Object.assign(refreshed, { refresh_token: refreshed.refresh_token ?? tokens.refresh_token });
  });

  test('the resource server verifies the access token and its proof by itself', async () => {
    const url = new URL(`${NOTES}/notes?page=2`);
    const claims = await oauth.validateJwtAccessToken(as, await atResource(url), NOTES, { ...insecure, requireDPoP: true });
    assert.equal(claims.client_id, client.client_id);
    assert.equal(claims.aud, NOTES);
    assert.equal(claims.cnf.jkt, await DPoP.calculateThumbprint());
    const elsewhere = oauth.validateJwtAccessToken(as, await atResource(url), 'https://other.example', insecure);
    await assert.rejects(elsewhere, oauth.OperationProcessingError);
    const thief = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const stolen = oauth.validateJwtAccessToken(as, await atResource(url, thief), NOTES, insecure);
    await assert.rejects(stolen, oauth.OperationProcessingError);
  });

  test('an ID token does not pass as an access token', async () => {
    const headers = { authorization: `Bearer ${tokens.id_token}` };
    const request = new Request(NOTES, { headers });
    await assert.rejects(oauth.validateJwtAccessToken(as, request, client.client_id, insecure), oauth.OperationProcessingError);
    assert.deepEqual(await introspect(tokens.id_token), { active: false });
  });

  test('introspection answers what the token says, signed where the client asks for that', async () => {
    const state = await introspect(tokens.access_token);
    const { sub } = oauth.getValidatedIdTokenClaims(tokens);
    assert.deepEqual([state.active, state.sub, state.aud, state.token_type], [true, sub, NOTES, 'DPoP']);
    assert.equal(state.cnf.jkt, await DPoP.calculateThumbprint());
    const wish = { ...insecure, requestJwtResponse: true };
    const reply = await oauth.introspectionRequest(as, client, authentication, tokens.access_token, wish);
    assert.equal(reply.headers.get('content-type'), 'application/token-introspection+jwt');
    assert.equal((await oauth.processIntrospectionResponse(as, client, reply)).active, true);
    await oauth.validateApplicationLevelSignature(as, reply, insecure);
    assert.equal((await introspect(tokens.refresh_token)).active, true);
  });

  test('a revoked token is active no more', async () => {
    const revoke = (token) => oauth.revocationRequest(as, client, authentication, token, insecure);
    await oauth.processRevocationResponse(await revoke(tokens.access_token));
    assert.deepEqual(await introspect(tokens.access_token), { active: false });
    assert.equal((await introspect(tokens.refresh_token)).active, true);
    await oauth.processRevocationResponse(await revoke(tokens.refresh_token));
    assert.deepEqual(await introspect(tokens.refresh_token), { active: false });
    const reply = await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token, { ...insecure, DPoP });
    assert.equal(await refusal(oauth.processRefreshTokenResponse(as, client, reply)), 'invalid_grant');
  });

  test('a device gets bound tokens', async () => {
    const asked = await oauth.deviceAuthorizationRequest(as, client, authentication, { scope: 'openid' }, insecure);
    const started = await oauth.processDeviceAuthorizationResponse(as, client, asked);
    const poll = async () => {
      const reply = await oauth.deviceCodeGrantRequest(as, client, authentication, started.device_code, { ...insecure, DPoP });
      return oauth.processDeviceCodeResponse(as, client, reply);
    };
    assert.equal(await refusal(poll()), 'authorization_pending');
    const page = await person.open(started.verification_uri_complete);
    await person.press(await person.press(page, 'device-submit'), 'approval-allow-0');
    const answer = await poll();
    assert.equal(answer.token_type, 'dpop');
    assert.equal(oauth.getValidatedIdTokenClaims(answer).aud, client.client_id);
    assert.equal(await refusal(poll()), 'invalid_grant');
  });

  test('a person elsewhere approves', async () => {
    const parameters = { scope: 'openid email', login_hint: 'ada@demo.example', binding_message: 'OAUTH4WEBAPI' };
    const asked = await oauth.backchannelAuthenticationRequest(as, client, authentication, parameters, insecure);
    const started = await oauth.processBackchannelAuthenticationResponse(as, client, asked);
    const poll = async () => {
      const { auth_req_id } = started;
      const reply = await oauth.backchannelAuthenticationGrantRequest(as, client, authentication, auth_req_id, { ...insecure, DPoP });
      return oauth.processBackchannelAuthenticationGrantResponse(as, client, reply);
    };
    assert.equal(await refusal(poll()), 'authorization_pending');
    const inbox = await person.open(`${dev.issuer}/auth/approvals`);
    const section = inbox.html.split('<section').find((text) => text.includes('OAUTH4WEBAPI'));
    await person.press(inbox, /id="(approval-allow-\d+)"/.exec(section)[1]);
    const answer = await poll();
    const { sub } = oauth.getValidatedIdTokenClaims(answer);
    const reply = await oauth.userInfoRequest(as, client, answer.access_token, { ...insecure, DPoP });
    const claims = await oauth.processUserInfoResponse(as, client, sub, reply);
    assert.equal(claims.email, 'ada@demo.example');
  });

  test('an application exchanges a token of its person for one of its own', async () => {
    const service = application('service');
    const acting = { client_id: service.client_id };
    const secret = oauth.ClientSecretPost(service.client_secret);
    const subject_token = await tokenForWeb(as, person);
    const parameters = { subject_token, subject_token_type: ACCESS_TOKEN, audience: NOTES, scope: 'notes:read' };
    const reply = await oauth.genericTokenEndpointRequest(as, acting, secret, EXCHANGE, parameters, insecure);
    const answer = await oauth.processGenericTokenEndpointResponse(as, acting, reply);
    assert.equal(answer.issued_token_type, ACCESS_TOKEN);
    assert.equal(answer.scope, 'notes:read');
    assert.equal(answer.refresh_token, undefined);
    const request = new Request(NOTES, { headers: { authorization: `Bearer ${answer.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(as, request, NOTES, insecure);
    assert.deepEqual(claims.act, { sub: service.client_id });
    assert.equal(claims.sub, claimsOf(subject_token).sub);

    const wider = { ...parameters, scope: 'notes:read reports:read' };
    const refused = await oauth.genericTokenEndpointRequest(as, acting, secret, EXCHANGE, wider, insecure);
    assert.equal(await refusal(oauth.processGenericTokenEndpointResponse(as, acting, refused)), 'invalid_scope');
  });

  test('a logout with the ID token returns to the application, and ends what the session gave', async () => {
    const address = new URL(as.end_session_endpoint);
    address.search = new URLSearchParams({
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: SIGNED_OUT,
      state: 'bye',
    });
    const reached = await person.visit(address, SIGNED_OUT);
    assert.deepEqual([...reached.searchParams], [['state', 'bye']]);
    const silent = new URL(as.authorization_endpoint);
    const spa = application('spa');
    silent.search = new URLSearchParams({
      client_id: spa.client_id,
      redirect_uri: spa.redirect_uris[0],
      response_type: 'code',
      scope: 'openid',
      prompt: 'none',
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: 'S256',
    });
    const back = await person.visit(silent, spa.redirect_uris[0]);
    assert.equal(back.searchParams.get('error'), 'login_required');
  });
});

/** An access token for the notes that the web application has of the person. */
async function tokenForWeb(as, person) {
  const web = application('web');
  const client = { client_id: web.client_id };
  const [redirect_uri] = web.redirect_uris;
  const verifier = oauth.generateRandomCodeVerifier();
  const address = new URL(as.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: web.client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid notes:read',
    resource: NOTES,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = oauth.validateAuthResponse(as, client, await person.visit(address, redirect_uri), oauth.expectNoState);
  const secret = oauth.ClientSecretBasic(web.client_secret);
  const reply = await oauth.authorizationCodeGrantRequest(as, client, secret, back, redirect_uri, verifier, insecure);
  return (await oauth.processAuthorizationCodeResponse(as, client, reply, { requireIdToken: true })).access_token;
}
