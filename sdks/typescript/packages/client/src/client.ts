// A public OAuth client (RFC 9700 §2.1): codes with PKCE, refresh tokens that rotate, one session for all tabs of an origin.
import * as oauth from 'oauth4webapi';
import { ownAddress, readCallback } from './callback.js';
import { SvcError, plain, wrapped } from './errors.js';
import { leave } from './page.js';
import { PATIENCE, createService, isStream } from './service.js';
import { type Session, type Transaction, aboutPerson, granted } from './session.js';
import { memoryStorage, storageOf, webStorage } from './storage.js';
import { createStore } from './store.js';
import { tabs } from './tabs.js';
import type {
  CallbackResult, Client, ClientOptions, LoginOptions, Organization, TokenOptions, User,
} from './types.js';

const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access'];
/** An access token that ends sooner is renewed first, in milliseconds. */
const LEEWAY = 30_000;

const seconds = (): number => Date.now() / 1000;
const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));
const words = (...texts: (string | readonly string[] | undefined)[]): string =>
  [...new Set(texts.flat().join(' ').split(' '))].filter(Boolean).join(' ');

/** Creates a client. Nothing is read, asked or listened to before it is used, so that a server may create one too. */
export function createClient(options: ClientOptions): Client {
  /** The redirect URI is read at every use: the port of a native application is known only when it listens. */
  const own = options.oauth;
  const { clientId: client_id, resource: home = '' } = own;
  const issuer = options.baseURL.replace(/\/$/, '');
  const name = `svc:${issuer}:${client_id}`;
  const hasPage = typeof document !== 'undefined';
  const isPage = hasPage && !options.open;
  const client: oauth.Client = { client_id };
  const transactions = isPage ? webStorage('session') : memoryStorage();
  const others = tabs(name, !(options.tabs ?? hasPage));
  const store = createStore(name, storageOf(options.storage), others);
  const { discovered, proofs, send, transport } = createService(issuer, name, options);
  let last: { url: string; done: Promise<CallbackResult> } | undefined;

  // --- sign-in ----------------------------------------------------------------------------------------------------------

  async function login(wish: LoginOptions = {}): Promise<void> {
    const returnTo = ownAddress(wish.returnTo ?? (hasPage ? location.href : own.redirectUri), own.redirectUri);
    // A window that is opened after an `await` is blocked.
    const popup = wish.popup ? globalThis.open('about:blank', '_blank', 'popup,width=480,height=720') : undefined;
    if (popup === null) throw new SvcError('popup_blocked');
    try {
      const id = (popup ? 'p.' : '') + oauth.generateRandomState();
      const address = await begin(id, wish, returnTo);
      if (popup) await finish(new URL(await (await import('./popup.js')).inPopup(popup, id, address, others)));
      else if (options.open) await handleCallback(await options.open(address, (back) => isCallback(back, id)));
      else (options.navigate ?? ((url: string) => location.assign(url)))(address);
    } catch (reason) {
      popup?.close();
      throw wrapped(reason);
    }
  }

  /** Remembers a sign-in of this state, and gives the address at which it goes on. */
  async function begin(state: string, wish: LoginOptions, returnTo: string): Promise<string> {
    await store.load();
    const [as, dpop] = await Promise.all([discovered(), proofs()]);
    const resource = wish.resource ?? home;
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const scope = words(own.scopes ?? DEFAULT_SCOPES, store.session?.grants[resource]?.scope, wish.scopes);
    const wanted: Record<string, string | undefined> = {
      client_id,
      redirect_uri: own.redirectUri,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource,
      acr_values: wish.acrValues?.join(' '),
      max_age: wish.maxAge?.toFixed(),
      organization: wish.organization,
      prompt: wish.prompt,
      login_hint: wish.loginHint,
      ui_locales: wish.uiLocales,
      dpop_jkt: dpop?.thumbprint,
    };
    let parameters = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value) as [string, string][]);
    if (as.pushed_authorization_request_endpoint) {
      const response = await send(as.pushed_authorization_request_endpoint, { method: 'POST', body: parameters, patience: PATIENCE[2] }, true);
      const pushed = await response.json() as { request_uri?: string; error?: string };
      if (!response.ok || !pushed.request_uri) throw new SvcError(plain(pushed.error), response);
      parameters = new URLSearchParams({ client_id, request_uri: pushed.request_uri });
    }
    const begun: Transaction = { nonce, verifier, returnTo, scope, resource, acr: wish.acrValues ?? [], since: wish.maxAge === undefined ? undefined : seconds() - wish.maxAge };
    await transactions.set(`${name}:${state}`, JSON.stringify(begun));
    return `${as.authorization_endpoint}?${parameters}`;
  }

  /** Whether an address is the answer to a sign-in; with a state, to that one. */
  function isCallback(url: string = hasPage ? location.href : '', state?: string): boolean {
    try {
      const { origin, pathname, searchParams } = new URL(url);
      const home = new URL(own.redirectUri);
      return origin === home.origin && pathname === home.pathname && (state ? searchParams.get('state') === state : searchParams.has('state')) &&
        (searchParams.has('code') || searchParams.has('error'));
    } catch {
      return false;
    }
  }

  function handleCallback(url: string = location.href): Promise<CallbackResult> {
    // Frameworks mount twice: the second call finds the address cleared, and gets what the first one gets.
    if (last && (last.url === url || (hasPage && url === location.href && !isCallback(url)))) return last.done;
    const address = new URL(url);
    // INVARIANT: the code leaves the address bar before anything is sent anywhere.
    if (isPage && location.href === url) history.replaceState(history.state, '', address.pathname);
    const done = finish(address);
    last = { url, done };
    return done;
  }

  async function finish(url: URL): Promise<CallbackResult> {
    const id = url.searchParams.get('state') ?? '';
    let result: CallbackResult;
    try {
      await store.load();
      const text = id && (await transactions.get(`${name}:${id}`));
      if (!text && id.startsWith('p.')) {
        await (await import('./popup.js')).handOver(url.href, others);
        return { returnTo: own.redirectUri };
      }
      if (text) await transactions.remove(`${name}:${id}`);
      // Without a transaction no state is expected, so that none is right.
      const code = readCallback(url, text ? id : '', issuer);
      const begun = JSON.parse(text as string) as Transaction;
      await exchange(id, code, begun);
      result = { returnTo: begun.returnTo };
    } catch (reason) {
      throw wrapped(reason);
    }
    if (isPage && !id.startsWith('p.')) history.replaceState(history.state, '', result.returnTo);
    return result;
  }

  async function exchange(state: string, code: string, begun: Transaction): Promise<void> {
    const as = await discovered();
    const validated = oauth.validateAuthResponse(as, client, new URLSearchParams({ code, state, iss: issuer }), state);
    const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), validated, own.redirectUri, begun.verifier, {
      ...transport(PATIENCE[2]), ...(begun.resource && { additionalParameters: { resource: begun.resource } }),
    });
    const answer = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce: begun.nonce, maxAge: (begun.since && seconds() - begun.since) as number, requireIdToken: true,
    });
    const claims = oauth.getValidatedIdTokenClaims(answer) as oauth.IDToken;
    // A level of the service that is above the one asked for is enough.
    if (begun.acr[0] && !begun.acr.some((asked) => (claims.acr as string) >= asked && (claims.acr as string).startsWith(asked.slice(0, -1)))) throw new SvcError('acr_not_reached');
    const told = await described(as, claims, answer, begun);
    // Another person than before: nothing of theirs stays. What was renewed while this was on its way does.
    const before = store.session?.user.sub === claims.sub ? store.session : undefined;
    await store.keep({
      rev: 0,
      user: { ...before?.user, ...told },
      idToken: answer.id_token as string,
      main: before?.main ?? begun.resource,
      grants: { ...before?.grants, [begun.resource]: granted(answer, begun.scope, undefined) },
    });
  }

  /** The claims about the person; asks UserInfo where the ID token has none of those that the scope gives. */
  async function described(as: oauth.AuthorizationServer, claims: oauth.IDToken, answer: oauth.TokenEndpointResponse, { scope, resource }: Transaction): Promise<User> {
    const user = aboutPerson(claims);
    const isSilent = !user.name && !user.email && /\b(profile|email)\b/.test(answer.scope ?? scope);
    if (isSilent && !resource && as.userinfo_endpoint) {
      try {
        const response = await send(as.userinfo_endpoint, {}, true, answer.access_token);
        const told = (await response.json()) as User;
        if (response.ok && told.sub === claims.sub) Object.assign(user, told);
      } catch {
        // A name is not worth a sign-in.
      }
    }
    return user;
  }

  // --- tokens -----------------------------------------------------------------------------------------------------------

  async function fetchWithToken(input: string | URL, init?: RequestInit, token?: TokenOptions): Promise<Response> {
    const url = new URL(input, hasPage ? location.href : undefined);
    const response = await send(url, init, true, await getAccessToken(token));
    if (response.status !== 401 || isStream(init?.body)) return response;
    return send(url, init, true, await getAccessToken({ ...token, force: true }));
  }

  async function getAccessToken({ resource, scopes: asked, force = false }: TokenOptions = {}): Promise<string> {
    await store.load();
    const api = resource ?? store.session?.main ?? home;
    const grant = store.session?.grants[api];
    if (!grant) throw new SvcError('login_required');
    const all = grant.scope.split(' ');
    if (asked?.some((scope) => !all.includes(scope))) throw new SvcError('insufficient_scope');
    const part = asked && asked.length < all.length ? [...asked].sort().join(' ') : '';
    const seen = grant.tokens[part];
    if (seen && !force && seen.exp > Date.now() + LEEWAY) return seen.token;
    return renew(api, part, seen?.token);
  }

  function renew(api: string, part: string, seen?: string, organization?: string): Promise<string> {
    return others.alone(async () => {
      const renewed = (): string | undefined => {
        const token = store.session?.grants[api]?.tokens[part];
        return !organization && token && token.token !== seen && token.exp > Date.now() + LEEWAY ? token.token : undefined;
      };
      if (!renewed()) await store.catchUp().catch(() => {});
      return renewed() ?? ask(api, part, organization);
    });
  }

  async function ask(api: string, part: string, organization?: string): Promise<string> {
    const before = store.session;
    const grant = before?.grants[api];
    if (!before || !grant) throw new SvcError('login_required');
    const { refresh } = grant;
    if (!refresh) throw organization ? new SvcError('login_required') : await ended('login_required');
    const extra = { ...(api && { resource: api }), ...(part && { scope: part }), ...(organization && { organization }) } as Record<string, string>;
    try {
      const answer = await repeated(await discovered(), refresh, extra);
      const claims = oauth.getValidatedIdTokenClaims(answer);
      if (claims && claims.sub !== before.user.sub) throw new SvcError('invalid_response');
      // A person who signed out while the answer was on its way stays signed out, and one who signed in stays who they are.
      const now = store.session as Session | undefined;
      if (now?.user.sub !== before.user.sub) throw new SvcError('login_required');
      if (!organization && now.grants[api]?.refresh !== refresh) return answer.access_token;
      await store.keep({
        ...now,
        user: claims ? aboutPerson({ ...now.user, ...claims, org: claims.org }) : now.user,
        idToken: answer.id_token ?? now.idToken,
        grants: { ...now.grants, [api]: granted(answer, grant.scope, grant, part) },
      });
      return answer.access_token;
    } catch (reason) {
      const error = wrapped(reason);
      if (error.code !== 'invalid_grant' || organization) throw error;
      // INVARIANT: the end of one grant is not the end of what was signed in or renewed meanwhile.
      if (store.session?.grants[api]?.refresh === refresh) throw await ended('session_ended', error);
      throw new SvcError('login_required');
    }
  }

  /** Sends a renewal until an answer comes: the server gives a lost one once more. */
  async function repeated(as: oauth.AuthorizationServer, refresh: string, extra: Record<string, string>): Promise<oauth.TokenEndpointResponse> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await oauth.processRefreshTokenResponse(as, client,
          await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refresh, { ...transport(PATIENCE[turn]), additionalParameters: extra }));
      } catch (reason) {
        const error = wrapped(reason);
        // A server that says when to come back is not asked sooner: that is for the caller.
        if (turn === PATIENCE.length - 1 || error.retryAfter || !(error.code === 'network' || (error.status as number) >= 500)) throw error;
        await sleep(300 * 2 ** turn);
      }
    }
  }

  async function ended(code: string, cause?: SvcError): Promise<SvcError> {
    const error = Object.assign(new SvcError(code), { requestId: cause?.requestId, status: cause?.status });
    await store.keep(undefined, error);
    return error;
  }

  // --- organizations, sign-out ------------------------------------------------------------------------------------------

  async function organizations(): Promise<Organization[]> {
    const api = `${issuer}/api`;
    const response = await fetchWithToken(`${api}/v1/identity/organizations`, {}, { resource: api }).catch((reason: unknown) => {
      throw wrapped(reason);
    });
    if (!response.ok) throw new SvcError('server_error', response);
    return ((await response.json()) as { data: Organization[] }).data;
  }

  async function switchOrganization(organization: string): Promise<void> {
    await store.load();
    const { session } = store;
    if (!session?.grants[session.main]?.refresh) return login({ organization });
    for (const api of Object.keys(session.grants)) await renew(api, '', undefined, organization);
  }

  async function logout({ returnTo, local = false }: { returnTo?: string; local?: boolean } = {}): Promise<void> {
    const after = returnTo !== undefined && ownAddress(returnTo, own.redirectUri);
    await store.load();
    const before = store.session;
    await store.keep(undefined);
    if (!before || local) return;
    const { revocation_endpoint: revocation, end_session_endpoint: end } = await discovered();
    if (revocation) {
      // Refresh tokens with `offline_access` outlive the session. What cannot be taken back expires by itself.
      await Promise.allSettled(Object.values(before.grants).map(({ refresh }) => refresh && send(revocation, {
        method: 'POST', body: new URLSearchParams({ client_id, token: refresh }), patience: PATIENCE[0],
      })));
    }
    if (!end || !isPage) return;
    leave(end, { id_token_hint: before.idToken, client_id, ...(after && { post_logout_redirect_uri: after }) });
  }

  return {
    options,
    login,
    isCallback,
    handleCallback,
    logout,
    getAccessToken,
    fetch: fetchWithToken,
    organizations,
    switchOrganization,
    subscribe: store.subscribe,
    getSnapshot: () => store.state,
    ready: () => store.load().then(() => store.state),
  };
}
