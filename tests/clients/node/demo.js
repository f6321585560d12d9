// The demo of the running development server, as its ready line describes it (SVC_DEV), and applications of our own there.
import { exportJWK, generateKeyPair } from 'jose';
import * as oidc from 'openid-client';

/** The line that `svc-runtime dev --json` printed. */
export const dev = JSON.parse(process.env.SVC_DEV);
/** The audience of the management API, which is also where people decide what waits for them. */
export const MANAGEMENT = `${dev.issuer}/api`;

/** An application of the demo by its name in the demo's file. */
export function application(handle) {
  const found = dev.clients.find((client) => client.handle === handle);
  if (!found) throw new Error(`the demo has no application ${handle}`);
  return found;
}

/** openid-client for an application of the demo. */
export function configured(handle) {
  const { client_id, client_secret, token_endpoint_auth_method: method } = application(handle);
  const ways = { client_secret_basic: oidc.ClientSecretBasic, client_secret_post: oidc.ClientSecretPost };
  const authentication = ways[method]?.(client_secret) ?? oidc.None();
  return oidc.discovery(new URL(dev.issuer), client_id, undefined, authentication, {
    execute: [oidc.allowInsecureRequests],
  });
}

/** A key of an application's own: the public half as it is registered, and the half that signs. */
export async function signingKey(kid = 'a', alg = 'ES256') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, key: { key: privateKey, kid } };
}

/** Signs `person` in at the application with these parameters; gives the tokens. */
export async function signedIn(config, person, redirect_uri, parameters) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
  const address = oidc.buildAuthorizationUrl(config, {
    redirect_uri,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  const back = await person.visit(address, redirect_uri);
  return oidc.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState: parameters.state });
}

/** The claims of a token, unverified. */
export function claimsOf(token) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
}
