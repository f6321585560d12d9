// A public OAuth client (RFC 9700 §2.1): codes with PKCE, refresh tokens that rotate, one session for all tabs of an origin.
import * as oauth from 'oauth4webapi';
import { checkDiscovery, isLoopback, ownAddress, readCallback } from './callback.js';
import type { Proofs } from './dpop.js';
import { SvcError, plain, wrapped } from './errors.js';
import { type SessionStorage, lazyStorage, memoryStorage, webStorage } from './storage.js';
import { tabs } from './tabs.js';
import type {
  CallbackResult, Client, ClientOptions, LoginOptions, Organization, SessionState, TokenOptions, User,
} from './types.js';

/** What was issued for one API. `tokens` are by their scopes; '' is everything that was granted. */
interface Grant {
  refresh: string | undefined;
  scope: string;
  tokens: Record<string, { token: string; exp: number }>;
}

/** What is kept. Of two, the one with the higher `rev` counts. */
interface Session {
  rev: number;
  user: User;
  idToken: string;
  /** The API of the first sign-in. */
  main: string;
  grants: Record<string, Grant>;
}

/** What `login()` leaves for `handleCallback()`. */
interface Transaction {
  nonce: string;
  verifier: string;
  returnTo: string;
  scope: string;
  resource: string;
  acr: readonly string[];
}

const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'offline_access'];
/** An access token that ends sooner is renewed first, in milliseconds. */
const LEEWAY = 30_000;
/** How long the answer to a renewal is waited for before it is asked for again, within the grace of the server. */
const PATIENCE = [3_000, 5_000, 10_000];
/** The claims of an ID token that say nothing about the person. */
const TECHNICAL = ['iss', 'aud', 'exp', 'iat', 'nonce', 'at_hash', 'azp', 'nbf', 'jti'];

const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time));
const words = (...texts: (string | readonly string[] | undefined)[]): string =>
  [...new Set(texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : text ?? [])))].filter(Boolean).join(' ');

/** Creates a client. Nothing is read, asked or listened to before it is used, so that a server may create one too. */
export function createClient(options: ClientOptions): Client {
  const { baseURL, oauth: { clientId, scopes = DEFAULT_SCOPES, resource: home = '' } } = options;
  /** Read at every use: the port of a native application is known only when it listens. */
  const redirectUri = (): string => options.oauth.redirectUri;
  const issuer = baseURL.replace(/\/$/, '');
  const name = `svc:${issuer}:${clientId}`;
  const hasPage = typeof document !== 'undefined';
  const others = tabs<Session>(name, !(options.tabs ?? hasPage));
  const storage = storageOf(options.storage);
  const transactions = hasPage && !options.open ? webStorage('session') : memoryStorage();
  const client: oauth.Client = { client_id: clientId, token_endpoint_auth_method: 'none' };
  const listeners = new Set<() => void>();
  const popups = new Map<string, (url: string) => void>();

  let session: Session | undefined;
  let state = stateOf(undefined, 'loading');
  let isKept = true;
  /** When the last sign-out was: what is older does not come back. */
  let left = 0;
  let loaded: Promise<void> | undefined;
  let server: Promise<oauth.AuthorizationServer> | undefined;
  let proofs: Promise<Proofs> | undefined;
  let last: { url: string; done: Promise<CallbackResult> } | undefined;

  // --- the state -----------------------------------------------------------------------------------------------------

  function show(next: Session | undefined, error: SvcError | null = null): void {
    session = next;
    state = stateOf(next, next ? 'signed-in' : 'signed-out', error);
    listeners.forEach((listener) => listener());
  }

  /** Keeps a session, shows it, and tells the other tabs. */
  async function keep(next: Session | undefined, error: SvcError | null = null): Promise<void> {
    const rev = Math.max(Date.now(), (session?.rev ?? left) + 1);
    if (next) next.rev = rev;
    else left = rev;
    session = next;
    await persist().catch((reason: unknown) => void (error ??= wrapped(reason)));
    show(next, error);
    others.tell(next ? { t: 'set', s: next } : { t: 'out', rev });
  }

  async function persist(): Promise<void> {
    isKept = false;
    await (session ? storage.set(name, JSON.stringify(session)) : storage.remove(name));
    isKept = true;
  }

  /** What is kept, if it is a session. */
  async function kept(): Promise<Session | undefined> {
    const found = JSON.parse((await storage.get(name)) || 'null') as Session | null;
    return found?.user?.sub && found.grants ? found : undefined;
  }

  /** Brings the session up to what another tab did meanwhile. */
  async function catchUp(): Promise<void> {
    if (storage.isShared && isKept) {
      const found = await kept();
      if (found?.rev !== session?.rev) show(found);
    } else {
      const rev = session?.rev ?? 0;
      const answer = others.within(100, (message) => message.t === 'set' && message.s.rev > rev);
      others.tell({ t: 'ask', rev });
      await answer;
    }
  }

  function load(): Promise<void> {
    loaded ??= (async () => {
      others.hear((message) => {
        if (message.t === 'ask' && session && session.rev > message.rev) others.tell({ t: 'set', s: session });
        const isNews = message.t === 'out' ? session && message.rev >= session.rev
          : message.t === 'set' && message.s.rev > (session?.rev ?? left);
        if (isNews) {
          if (message.t === 'out') left = message.rev;
          show(message.t === 'set' ? message.s : undefined);
          if (!storage.isShared) persist().catch(() => {});
        }
        if (message.t === 'callback') {
          const go = popups.get(new URL(message.url).searchParams.get('state') ?? '');
          if (go) {
            others.tell({ t: 'taken', url: message.url });
            go(message.url);
          }
        }
      });
      let error: SvcError | null = null;
      try {
        session ??= await kept();
      } catch (reason) {
        isKept = false;
        error = reason instanceof SvcError ? reason : null;
      }
      if (!session) await catchUp().catch(() => {});
      if (state.status === 'loading') show(session, error);
    })();
    return loaded;
  }

  // --- the server ----------------------------------------------------------------------------------------------------

  /** How everything is sent. A proof goes with what needs one, and again where it lacked the nonce of the server. */
  async function send(address: string | URL, init: RequestInit & { patience?: number | undefined } = {}, needsProof = false, token?: string): Promise<Response> {
    const { patience, ...rest } = init;
    // React Native has no such signal: there, the network says when it gives up.
    if (patience && AbortSignal.timeout) rest.signal = AbortSignal.timeout(patience);
    const url = new URL(address);
    const proof = needsProof ? await handle() : undefined;
    for (let turn = 0; ; turn += 1) {
      const headers = new Headers(rest.headers);
      if (token) headers.set('authorization', `${proof ? 'DPoP' : 'Bearer'} ${token}`);
      if (proof) headers.set('dpop', await proof.make(url, rest.method ?? 'GET', token));
      const response = await (options.fetch ?? globalThis.fetch)(url.href, { ...rest, headers });
      if (turn || !(await proof?.learn(url, response))) return response;
    }
  }

  /** What oauth4webapi sends its requests to the token endpoint with. */
  const transport = (patience: number | undefined) => ({
    [oauth.customFetch]: (url: string, init: RequestInit) => send(url, { ...init, patience }, true),
    [oauth.allowInsecureRequests]: isLoopback(issuer),
  });

  function discovered(): Promise<oauth.AuthorizationServer> {
    server ??= (async () => {
      const response = await send(`${issuer}/.well-known/openid-configuration`, { patience: PATIENCE[2] });
      if (!response.ok) throw new SvcError('discovery_failed', response);
      return checkDiscovery(issuer, await response.json());
    })().catch((reason: unknown) => {
      server = undefined;
      throw wrapped(reason);
    });
    return server;
  }

  async function handle(): Promise<Proofs | undefined> {
    if (options.dpop) return (proofs ??= import('./dpop.js').then((module) => module.proofs(name)));
    return undefined;
  }

  // --- sign-in -------------------------------------------------------------------------------------------------------

  async function login(wish: LoginOptions = {}): Promise<void> {
    const returnTo = ownAddress(wish.returnTo ?? (hasPage ? location.href : redirectUri()), redirectUri());
    // A window that is opened after an `await` is blocked.
    const popup = wish.popup ? globalThis.open('about:blank', '_blank', 'popup,width=480,height=720') : undefined;
    if (popup === null) throw new SvcError('popup_blocked');
    try {
      await load();
      const [as, dpop] = await Promise.all([discovered(), handle()]);
      const resource = wish.resource ?? home;
      const verifier = oauth.generateRandomCodeVerifier();
      const nonce = oauth.generateRandomNonce();
      const id = (popup ? 'p.' : '') + oauth.generateRandomState();
      const scope = words(scopes, session?.grants[resource]?.scope, wish.scopes);
      const wanted: Record<string, string | number | undefined> = {
        client_id: clientId,
        redirect_uri: redirectUri(),
        response_type: 'code',
        scope,
        state: id,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource,
        acr_values: wish.acrValues?.join(' '),
        max_age: wish.maxAge,
        organization: wish.organization,
        prompt: wish.prompt,
        login_hint: wish.loginHint,
        ui_locales: wish.uiLocales,
        dpop_jkt: dpop?.thumbprint,
      };
      let parameters = new URLSearchParams();
      for (const [key, value] of Object.entries(wanted)) if (value !== undefined && value !== '') parameters.set(key, String(value));
      if (as.pushed_authorization_request_endpoint) {
        const response = await send(as.pushed_authorization_request_endpoint, { method: 'POST', body: parameters, patience: PATIENCE[2] }, true);
        const pushed = await response.json() as { request_uri?: string; error?: string };
        if (!response.ok || !pushed.request_uri) throw new SvcError(plain(pushed.error), response);
        parameters = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri });
      }
      const address = `${as.authorization_endpoint}?${parameters}`;
      const begun: Transaction = { nonce, verifier, returnTo, scope, resource, acr: wish.acrValues ?? [] };
      await transactions.set(`${name}:${id}`, JSON.stringify(begun));
      if (popup) await finish(new URL(await (await import('./popup.js')).inPopup(popup, id, address, popups)));
      else if (options.open) await handleCallback(await options.open(address));
      else (options.navigate ?? ((url: string) => location.assign(url)))(address);
    } catch (reason) {
      popup?.close();
      throw wrapped(reason);
    }
  }

  function isCallback(url: string = hasPage ? location.href : ''): boolean {
    try {
      const { origin, pathname, searchParams } = new URL(url);
      const own = new URL(redirectUri());
      return origin === own.origin && pathname === own.pathname && searchParams.has('state') &&
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
    if (hasPage && !options.open && location.href === url) history.replaceState(history.state, '', address.pathname);
    const done = finish(address);
    last = { url, done };
    return done;
  }

  async function finish(url: URL): Promise<CallbackResult> {
    const id = url.searchParams.get('state') ?? '';
    let result: CallbackResult;
    try {
      await load();
      const text = id && (await transactions.get(`${name}:${id}`));
      if (!text && id.startsWith('p.') && !popups.has(id)) return await handOver(url);
      if (text) await transactions.remove(`${name}:${id}`);
      // Without a transaction no state is expected, so that none is right.
      const code = readCallback(url, text ? id : '', issuer);
      const begun = JSON.parse(text as string) as Transaction;
      await exchange(url, code, begun);
      result = { returnTo: begun.returnTo };
    } catch (reason) {
      throw wrapped(reason);
    }
    if (hasPage && !options.open && !id.startsWith('p.')) history.replaceState(history.state, '', result.returnTo);
    return result;
  }

  /** In a window that `login()` opened: the page that opened it goes on. */
  async function handOver(url: URL): Promise<CallbackResult> {
    const taken = others.within(3_000, (message) => message.t === 'taken' && message.url === url.href);
    others.tell({ t: 'callback', url: url.href });
    if (!(await taken)) throw new SvcError('state_mismatch');
    globalThis.close?.();
    return { returnTo: redirectUri() };
  }

  async function exchange(url: URL, code: string, begun: Transaction): Promise<void> {
    const as = await discovered();
    const state = url.searchParams.get('state') as string;
    const validated = oauth.validateAuthResponse(as, client, new URLSearchParams({ code, state, iss: issuer }), state);
    const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), validated, redirectUri(), begun.verifier, {
      ...transport(PATIENCE[2]), ...(begun.resource ? { additionalParameters: { resource: begun.resource } } : {}),
    });
    const answer = await oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce: begun.nonce, requireIdToken: true });
    const claims = oauth.getValidatedIdTokenClaims(answer) as oauth.IDToken;
    if (begun.acr.length > 0 && !begun.acr.includes(claims.acr as string)) throw new SvcError('acr_not_reached');
    // Another person than before: nothing of theirs stays.
    const before = session?.user.sub === claims.sub ? session : undefined;
    const user = { ...before?.user, ...await described(as, claims, answer, begun) };
    await keep({
      rev: 0,
      user,
      idToken: answer.id_token as string,
      main: before?.main ?? begun.resource,
      grants: { ...before?.grants, [begun.resource]: granted(answer, begun.scope, undefined) },
    });
  }

  /** The claims about the person; asks UserInfo where the ID token has none of those that the scope gives. */
  async function described(as: oauth.AuthorizationServer, claims: oauth.IDToken, answer: oauth.TokenEndpointResponse, { scope, resource }: Transaction): Promise<User> {
    const user: Record<string, unknown> = { ...claims };
    for (const claim of TECHNICAL) delete user[claim];
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
    return user as User;
  }

  function granted(answer: oauth.TokenEndpointResponse, asked: string, before: Grant | undefined, part = ''): Grant {
    const scope = answer.scope ?? asked;
    const token = { token: answer.access_token, exp: Date.now() + (answer.expires_in ?? 300) * 1000 };
    return {
      refresh: answer.refresh_token ?? before?.refresh,
      scope: part ? (before?.scope ?? scope) : scope,
      tokens: { ...(part ? before?.tokens : {}), [part]: token },
    };
  }

  // --- tokens --------------------------------------------------------------------------------------------------------

  async function getAccessToken({ resource, scopes: asked, force = false }: TokenOptions = {}): Promise<string> {
    await load();
    const api = resource ?? session?.main ?? home;
    const grant = session?.grants[api];
    if (!grant) throw new SvcError('login_required');
    const all = grant.scope.split(' ');
    if (asked?.some((scope) => !all.includes(scope))) throw new SvcError('insufficient_scope');
    const part = asked && asked.length < all.length ? [...asked].sort().join(' ') : '';
    const seen = grant.tokens[part];
    if (seen && !force && seen.exp > Date.now() + LEEWAY) return seen.token;
    return renew(api, part, seen?.token);
  }

  /** Renews by the refresh token, unless another tab has done so meanwhile. */
  function renew(api: string, part: string, seen?: string, organization?: string): Promise<string> {
    return others.alone(async () => {
      const renewed = (): string | undefined => {
        const token = session?.grants[api]?.tokens[part];
        return !organization && token && token.token !== seen && token.exp > Date.now() + LEEWAY ? token.token : undefined;
      };
      if (!renewed()) await catchUp().catch(() => {});
      const other = renewed();
      if (other) return other;
      const grant = session?.grants[api];
      if (!session || !grant) throw new SvcError('login_required');
      if (!grant.refresh) throw await ended('login_required');
      const extra: Record<string, string> = {};
      if (api) extra.resource = api;
      if (part) extra.scope = part;
      if (organization) extra.organization = organization;
      const before = session;
      try {
        const as = await discovered();
        const answer = await repeated(as, grant.refresh, extra);
        const claims = oauth.getValidatedIdTokenClaims(answer);
        if (claims && claims.sub !== before.user.sub) throw new SvcError('invalid_response');
        // A person who signed out while the answer was on its way stays signed out.
        if (session === undefined) throw new SvcError('login_required');
        const user = claims ? { ...before.user, ...claims, org: claims.org } : before.user;
        for (const claim of TECHNICAL) delete (user as Record<string, unknown>)[claim];
        await keep({
          ...before,
          user,
          idToken: answer.id_token ?? before.idToken,
          grants: { ...before.grants, [api]: granted(answer, grant.scope, grant, part) },
        });
        return answer.access_token;
      } catch (reason) {
        const error = wrapped(reason);
        throw error.code === 'invalid_grant' && !organization ? await ended('session_ended', error) : error;
      }
    });
  }

  /** Sends a renewal until an answer comes: the server gives a lost one once more. */
  async function repeated(as: oauth.AuthorizationServer, refresh: string, extra: Record<string, string>): Promise<oauth.TokenEndpointResponse> {
    for (let turn = 0; ; turn += 1) {
      try {
        return await oauth.processRefreshTokenResponse(as, client,
          await oauth.refreshTokenGrantRequest(as, client, oauth.None(), refresh, { ...transport(PATIENCE[turn]), additionalParameters: extra }));
      } catch (reason) {
        const error = wrapped(reason);
        if (turn === PATIENCE.length - 1 || !(error.code === 'network' || (error.status ?? 0) >= 500)) throw error;
        await sleep(300 * 2 ** turn);
      }
    }
  }

  async function ended(code: string, cause?: SvcError): Promise<SvcError> {
    const error = new SvcError(code);
    Object.assign(error, { requestId: cause?.requestId, status: cause?.status });
    await keep(undefined, error);
    return error;
  }

  async function fetchWithToken(input: string | URL, init?: RequestInit, token?: TokenOptions): Promise<Response> {
    const url = new URL(input, hasPage ? location.href : undefined);
    const response = await send(url, init, true, await getAccessToken(token));
    const isOnceOnly = typeof ReadableStream !== 'undefined' && init?.body instanceof ReadableStream;
    if (response.status !== 401 || isOnceOnly) return response;
    return send(url, init, true, await getAccessToken({ ...token, force: true }));
  }

  // --- organizations, sign-out ---------------------------------------------------------------------------------------

  async function organizations(): Promise<Organization[]> {
    const api = `${issuer}/api`;
    const response = await fetchWithToken(`${api}/v1/identity/organizations`, {}, { resource: api }).catch((reason: unknown) => {
      throw wrapped(reason);
    });
    if (!response.ok) throw new SvcError('server_error', response);
    return ((await response.json()) as { data: Organization[] }).data;
  }

  async function switchOrganization(organization: string): Promise<void> {
    await load();
    if (!session?.grants[session.main]?.refresh) return login({ organization });
    for (const api of Object.keys(session.grants)) await renew(api, '', undefined, organization);
  }

  async function logout({ returnTo, local = false }: { returnTo?: string; local?: boolean } = {}): Promise<void> {
    const after = returnTo === undefined ? undefined : ownAddress(returnTo, redirectUri());
    await load();
    const before = session;
    await keep(undefined);
    if (!before || local) return;
    const as = await discovered();
    const { revocation_endpoint: revocation, end_session_endpoint: end } = as;
    if (revocation) {
      // Refresh tokens with `offline_access` outlive the session. What cannot be taken back expires by itself.
      await Promise.allSettled(Object.values(before.grants).flatMap(({ refresh }) => (refresh ? [send(revocation, {
        method: 'POST', body: new URLSearchParams({ client_id: clientId, token: refresh }), patience: PATIENCE[0],
      })] : [])));
    }
    if (!end || options.open) return;
    const fields: Record<string, string> = { id_token_hint: before.idToken, client_id: clientId };
    if (after) fields.post_logout_redirect_uri = after;
    leave(end, fields);
  }

  /** Takes the browser to the end of the session. INVARIANT: by a form, so that the ID token is in no address. */
  function leave(action: string, fields: Record<string, string>): void {
    if (!hasPage) return;
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action, hidden: true });
    for (const [name, value] of Object.entries(fields)) {
      form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
    }
    document.body.append(form);
    form.submit();
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
    subscribe(listener) {
      listeners.add(listener);
      void load();
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => state,
    ready: () => load().then(() => state),
  };
}

function storageOf(kind: ClientOptions['storage'] = 'memory'): SessionStorage {
  if (typeof kind !== 'string') return kind;
  return kind === 'memory' ? memoryStorage() : kind === 'indexeddb' ? lazyStorage(() => import('./encrypted.js').then((module) => module.encryptedStorage())) : webStorage(kind);
}

function stateOf(session: Session | undefined, status: SessionState['status'], error: SvcError | null = null): SessionState {
  return {
    status,
    user: session?.user ?? null,
    organization: (session?.user.org as Organization | undefined) ?? null,
    scopes: session?.grants[session.main]?.scope.split(' ') ?? [],
    acr: (session?.user.acr as string | undefined) ?? null,
    error,
  };
}
