// One application at one issuer: its requests for codes and tokens, and its sign-out (RFC 6749, OpenID Connect Core and RP-Initiated Logout).
import { compactVerify, decodeProtectedHeader } from 'jose';
import * as oauth from 'oauth4webapi';
import { random } from './bytes.js';
import { readCallback } from './callback.js';
import { Discovery } from './discovery.js';
import { AuthError, named } from './error.js';
import { type Calling, type Fetch, bounded, isLoopback } from './fetching.js';
import { RemoteKeys } from './keys.js';
import { leewayOf } from './leeway.js';
import { codeChallenge, createCodeVerifier } from './pkce.js';
import { reaches, valuesOf } from './strength.js';

/** How an application is registered. */
export interface ApplicationOptions {
  /** The issuer of the tenant, byte for byte. */
  issuer: string;
  clientId: string;
  /** Of an application that authenticates with a secret. */
  clientSecret?: string | undefined;
  /** Of an application with `private_key_jwt`. */
  privateKey?: CryptoKey | { key: CryptoKey; kid: string } | undefined;
  /** The registered method; by default `private_key_jwt` with a key, `client_secret_basic` with a secret, and `none` without either. */
  clientAuthentication?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none' | undefined;
  /** As registered, character for character. */
  redirectUri: string;
  scopes?: string[] | undefined;
  /** The API that access tokens are for (RFC 8707). */
  resource?: string | undefined;
  /** Whether requests are pushed first (RFC 9126); otherwise where the issuer asks for it. */
  pushed?: boolean | undefined;
  /** How far the clock of the service may differ in ID tokens and logout tokens, in seconds; 10. */
  leewaySecs?: number | undefined;
  fetch?: Fetch | undefined;
  timeoutMs?: number | undefined;
}

/** A request that has been begun. All but `url` is kept until the browser comes back, where no other browser can read it. */
export interface AuthorizationRequest {
  url: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Since when the person has to have signed in, in seconds since 1970, where `max_age` was asked for: consent may take its time. */
  since?: number | undefined;
  /** The strengths that are enough, where `acr_values` were asked for. */
  acrValues?: string[] | undefined;
}

/** The tokens of an exchange or a refresh. */
export interface Tokens {
  accessToken: string;
  /** Unix time in seconds. */
  expiresAt: number;
  scope: string;
  refreshToken?: string | undefined;
  idToken?: string | undefined;
  /** Of the ID token. */
  claims?: oauth.IDToken | undefined;
}

/** What is asked for where an application does not say. */
export const DEFAULT_SCOPES = ['openid', 'profile', 'email'];
const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'PS256'];

/** Begins a sign-in: the address for the browser, and what to remember. `parameters` may be any of the authorization request. */
export function createAuthorizationUrl(options: ApplicationOptions, parameters: Record<string, string> = {}): Promise<AuthorizationRequest> {
  return applicationOf(options).createAuthorizationUrl(parameters);
}

/** Ends a sign-in: checks the response of the browser against what was remembered, and fetches the tokens. */
export function exchangeCode(options: ApplicationOptions, url: URL | string, request: Omit<AuthorizationRequest, 'url'>): Promise<Tokens> {
  return applicationOf(options).exchangeCode(new URL(url), request);
}

/** Revokes the refresh token and gives the address at which the browser signs out of the service too. */
export function oauthSignOut(options: ApplicationOptions, session: SignOut): Promise<string | undefined> {
  return applicationOf(options).signOut(session);
}

/** What a sign-out needs. */
export interface SignOut {
  refreshToken?: string | undefined;
  idToken?: string | undefined;
  /** As registered; where the browser comes back. */
  postLogoutRedirectUri?: string | undefined;
}

const made = new WeakMap<ApplicationOptions, Application>();

function applicationOf(options: ApplicationOptions): Application {
  let application = made.get(options);
  if (!application) made.set(options, (application = new Application(options)));
  return application;
}

export class Application {
  readonly options: ApplicationOptions;
  readonly keys: RemoteKeys;
  /** How far the clock of the service may differ, in seconds. */
  readonly leeway: number;
  readonly #discovery: Discovery;
  readonly #client: oauth.Client;
  readonly #authentication: oauth.ClientAuth;
  readonly #request: { [oauth.customFetch]: (url: string, init: object) => Promise<Response>; [oauth.allowInsecureRequests]: boolean };

  constructor(options: ApplicationOptions) {
    for (const name of ['issuer', 'clientId', 'redirectUri'] as const) {
      if (!options[name]) throw new AuthError('invalid_configuration', `${name} is missing.`);
    }
    if (!URL.canParse(options.redirectUri)) throw new AuthError('invalid_configuration', 'redirectUri is no address.');
    this.options = options;
    const calling: Calling = { fetch: options.fetch, timeoutMs: options.timeoutMs };
    this.#discovery = new Discovery(options.issuer, calling);
    this.keys = new RemoteKeys(this.#discovery, calling);
    this.leeway = leewayOf(options);
    this.#client = { client_id: options.clientId, [oauth.clockTolerance]: this.leeway };
    this.#authentication = authentication(options);
    const call = bounded(calling);
    this.#request = {
      [oauth.customFetch]: (url: string, init: object) => call(url, init),
      [oauth.allowInsecureRequests]: isLoopback(new URL(options.issuer)),
    };
  }

  metadata(): Promise<oauth.AuthorizationServer> {
    return this.#discovery.metadata().catch((error: unknown) => {
      throw named(error, this.options.issuer);
    });
  }

  async createAuthorizationUrl(parameters: Record<string, string> = {}): Promise<AuthorizationRequest> {
    const { clientId, redirectUri, scopes = DEFAULT_SCOPES, resource, pushed } = this.options;
    const metadata = await this.metadata();
    const [state, nonce, codeVerifier] = [random(), random(), createCodeVerifier()];
    const query = new URLSearchParams({
      scope: scopes.join(' '),
      ...(resource && { resource }),
      ...parameters,
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: await codeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const url = new URL(String(metadata.authorization_endpoint));
    const isPushed = pushed ?? metadata.require_pushed_authorization_requests === true;
    url.search = String(isPushed ? await this.#push(metadata, query) : query);
    return { url: url.href, state, nonce, codeVerifier, ...wanted(parameters) };
  }

  async exchangeCode(url: URL, request: Omit<AuthorizationRequest, 'url'>): Promise<Tokens> {
    const { state, nonce, codeVerifier, since, acrValues } = request;
    const metadata = await this.metadata();
    const outcome = readCallback(url, { state, issuer: metadata.issuer });
    const refused = { status: 400, tenant: this.options.issuer };
    if ('refused' in outcome) throw new AuthError(outcome.refused, `The authorization response was refused: ${outcome.refused}.`, refused);
    if ('error' in outcome) {
      const code = /^[\w.-]{1,64}$/.test(outcome.error) ? outcome.error : 'authorization_failed';
      throw new AuthError(code, `The service ended the sign-in with ${code}.`, refused);
    }
    const { redirectUri } = this.options;
    const isOpenid = (this.options.scopes ?? DEFAULT_SCOPES).includes('openid');
    const tokens = await this.#tokens(async (client) => {
      const checked = oauth.validateAuthResponse(metadata, client, url, state);
      const reply = await oauth.authorizationCodeGrantRequest(metadata, client, this.#authentication, checked, redirectUri, codeVerifier, this.#request);
      const age = since === undefined ? {} : { maxAge: Math.max(0, Date.now() / 1_000 - since) };
      const expected = isOpenid ? { expectedNonce: nonce, requireIdToken: true, ...age } : {};
      return { reply, process: () => oauth.processAuthorizationCodeResponse(metadata, client, reply, expected) };
    });
    if (isOpenid && acrValues?.[0] && !acrValues.some((asked) => reaches(String(tokens.claims?.acr), asked))) {
      throw new AuthError('acr_not_reached', 'The sign-in is weaker than was asked for. Please sign in again.', refused);
    }
    return tokens;
  }

  async refresh(refreshToken: string, parameters: Record<string, string> = {}): Promise<Tokens> {
    const metadata = await this.metadata();
    const { resource } = this.options;
    const additionalParameters = { ...(resource && { resource }), ...parameters };
    return this.#tokens(async (client) => {
      const options = { ...this.#request, additionalParameters };
      const reply = await oauth.refreshTokenGrantRequest(metadata, client, this.#authentication, refreshToken, options);
      return { reply, process: () => oauth.processRefreshTokenResponse(metadata, client, reply) };
    });
  }

  /** A revocation that fails does not keep the person signed in: the token ends with its session at the service. */
  async signOut({ refreshToken, idToken, postLogoutRedirectUri }: SignOut): Promise<string | undefined> {
    const metadata = await this.metadata();
    if (refreshToken && metadata.revocation_endpoint) {
      const revoked = oauth.revocationRequest(metadata, this.#client, this.#authentication, refreshToken, this.#request);
      await revoked.then(oauth.processRevocationResponse).catch(() => {});
    }
    if (!metadata.end_session_endpoint) return undefined;
    const url = new URL(metadata.end_session_endpoint);
    url.searchParams.set('client_id', this.options.clientId);
    if (idToken) url.searchParams.set('id_token_hint', idToken);
    if (postLogoutRedirectUri) url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri);
    return url.href;
  }

  /** The claims of a token that the issuer signed for this application, after nothing but the signature was checked. */
  async signed(token: string, typ?: string): Promise<Record<string, unknown>> {
    try {
      const { alg = '', kid = '', ...header } = decodeProtectedHeader(token);
      if (!ID_TOKEN_ALGORITHMS.includes(alg) || (typ && header.typ !== typ)) throw refusedSignature();
      const key = await this.keys.find(kid, alg);
      if (!key) throw refusedSignature();
      const { payload } = await compactVerify(token, key, { algorithms: [alg] });
      return JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
    } catch (error) {
      throw named(error instanceof AuthError ? error : refusedSignature(), this.options.issuer);
    }
  }

  async #push(metadata: oauth.AuthorizationServer, query: URLSearchParams): Promise<URLSearchParams> {
    try {
      const reply = await oauth.pushedAuthorizationRequest(metadata, this.#client, this.#authentication, query, this.#request);
      const { request_uri } = await oauth.processPushedAuthorizationResponse(metadata, this.#client, reply);
      return new URLSearchParams({ client_id: this.options.clientId, request_uri });
    } catch (error) {
      throw named(explained(error), this.options.issuer);
    }
  }

  async #tokens(ask: (client: oauth.Client) => Promise<{ reply: Response; process: () => Promise<oauth.TokenEndpointResponse> }>): Promise<Tokens> {
    let reply: Response | undefined;
    try {
      const asked = await ask(this.#client);
      reply = asked.reply;
      const response = await asked.process();
      if (response.id_token) await this.signed(response.id_token);
      return {
        accessToken: response.access_token,
        expiresAt: Math.floor(Date.now() / 1_000) + (response.expires_in ?? 60),
        scope: response.scope ?? (this.options.scopes ?? DEFAULT_SCOPES).join(' '),
        refreshToken: response.refresh_token,
        idToken: response.id_token,
        claims: oauth.getValidatedIdTokenClaims(response),
      };
    } catch (error) {
      throw named(explained(error, reply), this.options.issuer);
    }
  }
}

function authentication({ clientAuthentication, clientSecret, privateKey, clientId }: ApplicationOptions): oauth.ClientAuth {
  const method = clientAuthentication ?? (privateKey ? 'private_key_jwt' : clientSecret ? 'client_secret_basic' : 'none');
  const missing = (what: string) => new AuthError('invalid_configuration', `${what} of ${clientId} is missing.`);
  if (method === 'none') return oauth.None();
  if (method === 'private_key_jwt') {
    if (!privateKey) throw missing('privateKey');
    return oauth.PrivateKeyJwt(privateKey);
  }
  if (!clientSecret) throw missing('clientSecret');
  return method === 'client_secret_post' ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret);
}

/** What the ID token is held to, of the parameters of a request. A `max_age` that is no number is refused by the service. */
function wanted({ max_age: age = '', acr_values: values = '' }: Record<string, string>): Pick<AuthorizationRequest, 'since' | 'acrValues'> {
  const acrValues = valuesOf(values);
  return {
    ...(/^\d+$/.test(age) && { since: Date.now() / 1_000 - Number(age) }),
    ...(acrValues.length > 0 && { acrValues }),
  };
}

function refusedSignature(): AuthError {
  return new AuthError('invalid_token', 'A token of the issuer has a signature that does not hold.', { status: 400 });
}

/** An error of the library as one of ours, which has nothing of the answer but its code and request id. */
function explained(error: unknown, reply?: Response): AuthError {
  if (error instanceof AuthError) return error;
  const requestId = (from?: Response) => from?.headers.get('x-request-id') ?? undefined;
  const later = (from?: Response) => {
    const value = from?.headers.get('retry-after');
    return value ? { headers: { 'retry-after': value } } : {};
  };
  if (error instanceof oauth.ResponseBodyError) {
    const code = /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'token_request_failed';
    return new AuthError(code, `The service refused with ${code}.`, { status: 400, requestId: requestId(error.response), ...later(error.response) });
  }
  const code = error instanceof oauth.OperationProcessingError ? error.code : undefined;
  const cause = (error as { cause?: { claim?: unknown } }).cause;
  if (code === oauth.JWT_TIMESTAMP_CHECK && cause?.claim === 'auth_time') {
    return new AuthError('max_age_exceeded', 'The sign-in is older than was asked for. Please sign in again.', { status: 400, requestId: requestId(reply) });
  }
  if (code === oauth.JWT_TIMESTAMP_CHECK) {
    const date = Date.parse(reply?.headers.get('date') ?? '');
    const seconds = Math.round((Date.now() - date) / 1_000);
    const which = Number.isNaN(seconds) ? 'differs from' : `is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'}`;
    return new AuthError('clock_skew', `The clock of this machine ${which} that of the service: set it by NTP.`, { status: 500, requestId: requestId(reply) });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return new AuthError('invalid_client', 'The service does not take the credentials of this application.', { status: 500, requestId: requestId(error.response) });
  }
  const text = code ? `The answer of the service was refused: ${code}.` : 'The request to the service failed.';
  return new AuthError('invalid_response', text, { status: 502, requestId: requestId(reply), ...later(reply) });
}
