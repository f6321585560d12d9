// AppAuth with the settings of docs/frameworks/mobile.md: a private-use scheme, PKCE, no secret.
import assert from 'node:assert/strict';
import { register } from 'node:module';
import { test } from 'node:test';
import { blocks } from '../../guides.mjs';
import { application, claimsOf, dev } from './demo.js';
import { Person } from './person.js';

register('./extensions.js', import.meta.url);
const appauth = await import('@openid/appauth/built/src/index.js');
const { NodeCrypto } = await import('@openid/appauth/built/src/node_support/crypto_utils.js');

/** The settings of the guide, for the application that the test's server has. */
function settings() {
  const [code] = blocks('frameworks/mobile.md', 'ts');
  const config = new Function(`${code.replace('export const config =', 'return')}`)();
  return { ...config, issuer: dev.issuer, clientId: application('mobile').client_id };
}

/** Gives the person the address, and takes the address that the system would open the application with. */
class SystemBrowser extends appauth.AuthorizationRequestHandler {
  constructor(person) {
    super(new appauth.BasicQueryStringUtils(), new NodeCrypto());
    this.person = person;
  }

  async performAuthorizationRequest(configuration, request) {
    await request.setupCodeVerifier();
    const { searchParams } = await this.person.visit(this.buildRequestUrl(configuration, request), request.redirectUri);
    const response = new appauth.AuthorizationResponse({ code: searchParams.get('code'), state: searchParams.get('state') });
    return { request, response };
  }
}

test('AppAuth signs a person in, refreshes and revokes', async () => {
  const { issuer, clientId, redirectUrl, scopes } = settings();
  const requestor = new appauth.FetchRequestor();
  const configuration = await appauth.AuthorizationServiceConfiguration.fetchFromIssuer(issuer, requestor);
  const asked = new appauth.AuthorizationRequest(
    { client_id: clientId, redirect_uri: redirectUrl, scope: scopes.join(' ') },
    new NodeCrypto(),
  );
  const { request, response } = await new SystemBrowser(new Person(dev.user)).performAuthorizationRequest(configuration, asked);
  assert.equal(response.state, request.state);

  const tokens = new appauth.BaseTokenRequestHandler(requestor);
  const of = { client_id: clientId, redirect_uri: redirectUrl };
  const first = await tokens.performTokenRequest(
    configuration,
    new appauth.TokenRequest({
      ...of,
      grant_type: appauth.GRANT_TYPE_AUTHORIZATION_CODE,
      code: response.code,
      extras: { code_verifier: request.internal.code_verifier },
    }),
  );
  assert.equal(claimsOf(first.idToken).email, 'ada@demo.example');

  const refresh = (refresh_token) =>
    tokens.performTokenRequest(
      configuration,
      new appauth.TokenRequest({ ...of, grant_type: appauth.GRANT_TYPE_REFRESH_TOKEN, refresh_token }),
    );
  const second = await refresh(first.refreshToken);
  assert.notEqual(second.refreshToken, first.refreshToken);
  assert.notEqual(second.accessToken, first.accessToken);

  const revoked = new appauth.RevokeTokenRequest({ client_id: clientId, token: second.refreshToken });
  assert.equal(await tokens.performRevokeTokenRequest(configuration, revoked), true);
  await assert.rejects(refresh(second.refreshToken), { message: '400' });
});
