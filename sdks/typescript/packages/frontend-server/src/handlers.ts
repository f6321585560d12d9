// Sign-in for an application with a server: its five routes, and what pages ask about a request.
import { Application, type ApplicationOptions, type AuthorizationRequest, DEFAULT_SCOPES } from './application.js';
import { digest } from './bytes.js';
import { type CookieChange, Cookies, changedCookies, parseCookies } from './cookies.js';
import { type EndedSessions, MemoryEndedSessions } from './ended-sessions.js';
import { AuthError } from './error.js';
import { takeLogoutToken } from './logout-token.js';
import { errorPage } from './page.js';
import { MemoryReplayStore, type ReplayStore } from './replays.js';
import { localPath } from './return-to.js';
import { Sealing } from './sealing.js';
import { type Kept, type Seen, type Session, Sessions, shown } from './session.js';
import { shared } from './shared.js';
import { noWeaker } from './strength.js';
import { readBody } from './webhooks.js';

export interface AuthOptions extends ApplicationOptions {
  /** Secrets of 32 characters or more that seal cookies: the current one, then former ones. */
  cookieSecrets: string | string[];
  /**
   * The path below which this application is served, such as `/shop`, where it shares a host with others: its cookies have names of
   * their own then. Without it they have the names that they have for an application at the root.
   */
  basePath?: string | undefined;
  /** Where the browser returns after sign-out, as registered: an address, or a path of the application's own origin. */
  postLogoutRedirectUri?: string | undefined;
  /** Where sessions that ended elsewhere are remembered; by default in the memory of this process. */
  endedSessions?: EndedSessions | undefined;
  /** Where logout tokens are remembered, and for other processes the callbacks whose code was sent. */
  replays?: ReplayStore | undefined;
  /** How long a session lasts at most, in seconds; 7 days. */
  sessionMaxAgeSecs?: number | undefined;
  /** Further parameters of every authorization request. Links may ask for more than its `acr_values`, `max_age` and `prompt`, and for no less. */
  authorizationParameters?: Record<string, string> | undefined;
  /** The page for a sign-in that failed; a plain one without it. */
  onError?: ((error: AuthError, request: Request) => Response | Promise<Response>) | undefined;
}

/** A session with its access token. */
export interface AccessToken {
  accessToken: string;
  scopes: string[];
  /** Cookies to set with the answer: the token may be a new one. */
  changes: CookieChange[];
}

const LOGIN_SECS = 15 * 60;
const MOST_LOGINS = 4;
/** What the cookies of all of them may have together, with room for the session in what servers take as header fields. */
const MOST_OF_LOGINS = 6_500;
const LOGIN = 'svc-login.';
/** What the address of the login route may say about the request that it begins. */
const PASSED_ON = ['prompt', 'organization', 'acr_values', 'login_hint', 'max_age', 'ui_locales'];

/** What is remembered between the beginning and the end of a sign-in. */
interface Login extends Omit<AuthorizationRequest, 'url'> {
  to: string;
}

/** Makes the routes of an application. */
export function createAuth(options: AuthOptions): Auth {
  return new Auth(options);
}

export class Auth {
  /** The origin that the browser sees. */
  readonly origin: string;
  /** Where the routes are: the folder of the redirect URI. */
  readonly basePath: string;
  readonly cookies: Cookies;
  readonly #options: AuthOptions;
  readonly #application: Application;
  readonly #sealing: Sealing;
  readonly #ended: EndedSessions;
  readonly #replays: ReplayStore;
  readonly #sessions: Sessions;
  readonly #longest: number;
  /** Where the browser returns after sign-out. */
  readonly #home: string | undefined;
  readonly #callbacks: Map<string, Promise<Kept | undefined>>;

  constructor(options: AuthOptions) {
    this.#options = options;
    this.#application = new Application(options);
    // INVARIANT: a session is of the person whom an ID token names; without one all people would be the same.
    if (!(options.scopes ?? DEFAULT_SCOPES).includes('openid')) throw new AuthError('invalid_configuration', 'scopes must have openid.');
    const redirectUri = new URL(options.redirectUri);
    this.origin = redirectUri.origin;
    this.basePath = withoutSlash(redirectUri.pathname).replace(/\/[^/]*$/, '');
    this.cookies = new Cookies(redirectUri, mountOf(options.basePath, redirectUri));
    this.#sealing = new Sealing(options.cookieSecrets);
    this.#ended = options.endedSessions ?? shared('ended sessions', () => new MemoryEndedSessions());
    // A store of their own: one that proofs have filled takes no notices.
    this.#replays = options.replays ?? shared('logout tokens', () => new MemoryReplayStore());
    this.#callbacks = shared(`callbacks ${options.issuer} ${options.clientId}`, () => new Map());
    this.#longest = options.sessionMaxAgeSecs ?? 7 * 24 * 3_600;
    const { postLogoutRedirectUri: home } = options;
    this.#home = home?.startsWith('/') ? `${this.origin}${home}` : home;
    this.#sessions = new Sessions(this.#application, this.cookies, this.#sealing, this.#ended, this.#longest);
  }

  /** The route that a path names, if it is one of ours; frameworks may be set to end paths with a slash. */
  routeOf(pathname: string): Route | undefined {
    const path = withoutSlash(pathname);
    if (path === withoutSlash(new URL(this.#options.redirectUri).pathname)) return 'callback';
    const name = path.startsWith(`${this.basePath}/`) ? path.slice(this.basePath.length + 1) : '';
    return ROUTES.find((route) => route === name);
  }

  /** Answers a request to one of the routes; 404 for any other path. */
  async handle(request: Request): Promise<Response> {
    const route = this.routeOf(new URL(request.url).pathname);
    const answers: Record<Route, (request: Request) => Promise<Response>> = {
      login: (one) => this.login(one),
      callback: (one) => this.callback(one),
      logout: (one) => this.logout(one),
      session: (one) => this.session(one),
      'backchannel-logout': (one) => this.backchannelLogout(one),
    };
    return route ? answers[route](request) : new Response('Not found', { status: 404 });
  }

  /** `GET`: begins a sign-in, and redirects to `returnTo` after it. */
  async login(request: Request): Promise<Response> {
    if (request.method !== 'GET') return notAllowed('GET');
    // What a browser fetches in advance begins nothing.
    const purpose = request.headers.get('sec-purpose') ?? request.headers.get('purpose') ?? '';
    if (purpose.includes('prefetch') || request.headers.has('next-router-prefetch')) return new Response(null, { status: 204 });
    return this.#page(request, async () => {
      const { searchParams } = new URL(request.url);
      const asked = PASSED_ON.map((name): [string, string] => [name, searchParams.get(name) ?? '']).filter(([, value]) => value);
      const parameters = noWeaker(this.#options.authorizationParameters ?? {}, Object.fromEntries(asked));
      // More scopes on demand; never fewer, whatever the link says.
      const more = searchParams.get('scope');
      if (more) parameters['scope'] = [...new Set([...(this.#options.scopes ?? DEFAULT_SCOPES), ...more.split(' ')])].join(' ');
      const { url, ...kept } = await this.#application.createAuthorizationUrl(parameters);
      const to = localPath(searchParams.get('returnTo'), this.origin);
      const login: Login = { ...kept, to };
      const value = await this.#sealing.seal('login', login, Date.now() / 1_000 + LOGIN_SECS);
      const jar = parseCookies(request.headers.get('cookie'));
      const begun = [...jar].filter(([one]) => one.startsWith(this.cookies.named(LOGIN))).reverse();
      let room = MOST_OF_LOGINS - value.length;
      const isDropped = ([, one]: [string, string], at: number) => (room -= one.length) < 0 || at >= MOST_LOGINS - 1;
      const dropped = begun.filter(isDropped).map(([one]) => ({ name: one, value: '', maxAge: 0 }));
      return this.redirect(url, [...dropped, { name: await this.#loginName(kept.state), value, maxAge: LOGIN_SECS }]);
    });
  }

  /** `GET` with the browser that comes back: makes the session. Opened twice, it redirects to the same place again. */
  async callback(request: Request): Promise<Response> {
    if (request.method !== 'GET') return notAllowed('GET');
    return this.#page(request, async () => {
      const field = request.headers.get('cookie');
      const jar = parseCookies(field);
      const seen = new URL(request.url);
      const state = seen.searchParams.get('state') ?? '';
      const name = await this.#loginName(state);
      const login = (await this.#sealing.open('login', jar.get(name))) as Login | undefined;
      if (!login) {
        const last = (await this.#sessions.read(field))?.l;
        if (last && state && last.s === (await digest(state))) return this.redirect(this.origin + last.to, []);
        const what = state ? 'has expired, was completed already, or began in another browser' : 'came back without its state';
        throw new AuthError(state ? 'login_expired' : 'missing_state', `This sign-in ${what}. Please sign in again.`, { status: 400 });
      }
      try {
        const kept = await this.#exchanged(new URL(`${this.#options.redirectUri}${seen.search}`), login);
        const changes = kept ? await this.#sessions.written(jar, kept) : [];
        return this.redirect(this.origin + login.to, [...changes, { name, value: '', maxAge: 0 }]);
      } catch (error) {
        if (!(error instanceof AuthError)) throw error;
        return this.#failed(error, request, [{ name, value: '', maxAge: 0 }]);
      }
    });
  }

  /** `POST` from a page of the application: ends the session here and at the service. */
  async logout(request: Request): Promise<Response> {
    if (request.method !== 'POST') return notAllowed('POST');
    if (!this.isSameOrigin(request)) return new AuthError('forbidden', 'Sign-out is asked for by pages of the application only.', { status: 403 }).toResponse();
    const { location, changes } = await this.signOut(request.headers.get('cookie'));
    return this.redirect(location, changes, 303);
  }

  /** `GET`: who is signed in, for scripts. Tokens are not among it. */
  async session(request: Request): Promise<Response> {
    if (request.method !== 'GET') return notAllowed('GET');
    const { session, changes } = await this.renew(request.headers.get('cookie'));
    const reply = Response.json({ session }, { headers: { 'cache-control': 'no-store', vary: 'cookie' } });
    return this.withCookies(reply, changes);
  }

  /** `POST` from the service: a session has ended (OpenID Connect Back-Channel Logout §2.5). */
  async backchannelLogout(request: Request): Promise<Response> {
    if (request.method !== 'POST') return notAllowed('POST');
    const headers = { 'cache-control': 'no-store' };
    try {
      const form = new URLSearchParams(new TextDecoder().decode(await readBody(request, 64 * 1024)));
      const [token, ...others] = form.getAll('logout_token');
      if (!token || others.length > 0) throw new AuthError('invalid_request', 'There is not exactly one logout_token.', { status: 400 });
      await takeLogoutToken(token, this.#application, this.#ended, this.#replays, this.#longest);
      return new Response(null, { status: 200, headers });
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      const { code, message } = error;
      const status = error.status === 503 ? 503 : 400;
      return Response.json({ error: code, error_description: message }, { status, headers });
    }
  }

  /** The session, read from a `Cookie` field alone: for pages that cannot set cookies. */
  async read(cookie: string | null | undefined): Promise<Session | null> {
    return shown(await this.#sessions.read(cookie));
  }

  /** The same, with tokens renewed when they are about to end; set the changes with the answer. */
  async renew(cookie: string | null | undefined): Promise<{ session: Session | null; changes: CookieChange[] }> {
    const { kept, changes } = await this.#sessions.renewed(cookie);
    return { session: shown(kept), changes };
  }

  /** The access token of a session, renewed when it is about to end, or with `force` at once, after an API refused it. */
  async accessToken(cookie: string | null | undefined, { force = false } = {}): Promise<AccessToken> {
    const { kept, changes, failure }: Seen = await this.#sessions.renewed(cookie, force);
    if (failure && (force || (kept && kept.ax <= Date.now() / 1_000))) throw failure;
    if (!kept) throw new AuthError('not_signed_in', 'There is no session: sign in.', { status: 401 });
    if (kept.ax <= Date.now() / 1_000) {
      throw new AuthError('token_expired', 'The access token has expired, and there is no refresh token: ask for offline_access.', { status: 401 });
    }
    return { accessToken: kept.at, scopes: kept.s.split(' ').filter(Boolean), changes };
  }

  /** Whether the access token is about to be renewed. */
  endsSoon(cookie: string | null | undefined): Promise<boolean> {
    return this.#sessions.endsSoon(cookie);
  }

  /** Ends the session: where to send the browser, and the cookies to remove. */
  async signOut(cookie: string | null | undefined): Promise<{ location: string; changes: CookieChange[] }> {
    const kept = await this.#sessions.read(cookie);
    const changes = this.#sessions.removed(cookie);
    const home = this.#home ?? `${this.origin}/`;
    if (!kept) return { location: home, changes };
    await this.#sessions.end(kept);
    const signedOut = this.#application.signOut({ refreshToken: kept.rt, idToken: kept.it, postLogoutRedirectUri: this.#home });
    return { location: (await signedOut.catch(() => undefined)) ?? home, changes };
  }

  /** The address of the login route. */
  loginUrl(returnTo = '/', parameters: Record<string, string> = {}): string {
    return `${this.origin}${this.basePath}/login?${new URLSearchParams({ ...parameters, returnTo })}`;
  }

  /** The answer to a request without a session: a redirect to the sign-in for browsers, 401 for scripts. */
  refuse(request: Request): Response {
    const { pathname, search } = new URL(request.url);
    const isPage = (request.headers.get('accept') ?? '').includes('text/html');
    if (isPage && request.method === 'GET') return this.redirect(this.loginUrl(`${pathname}${search}`), []);
    // A form whose session has ended leads back to its page; the query of its address may be what it was to do.
    if (isPage && request.method === 'POST') return this.redirect(this.loginUrl(pathname), [], 303);
    return new AuthError('not_signed_in', 'There is no session: sign in.', { status: 401 }).toResponse();
  }

  /** Whether a page of the application itself sent a request that changes something. */
  isSameOrigin(request: Request): boolean {
    const origin = request.headers.get('origin');
    // Forms of pages with `Referrer-Policy: no-referrer` have the origin `null` (Fetch Standard §3.2); no page can make up the other field.
    return origin === null || origin === 'null' ? request.headers.get('sec-fetch-site') === 'same-origin' : origin === this.origin;
  }

  /** A `Cookie` field after changes. */
  cookiesAfter(cookie: string | null | undefined, changes: CookieChange[]): string {
    return changedCookies(cookie, changes);
  }

  withCookies(reply: Response, changes: CookieChange[]): Response {
    for (const change of changes) reply.headers.append('set-cookie', this.cookies.serialized(change));
    return reply;
  }

  redirect(location: string, changes: CookieChange[], status = 302): Response {
    return this.withCookies(new Response(null, { status, headers: { location, 'cache-control': 'no-store' } }), changes);
  }

  /** INVARIANT: a code is sent once, even when its address is opened twice at the same time. Nothing, where another process has sent it. */
  #exchanged(url: URL, login: Login): Promise<Kept | undefined> {
    const known = this.#callbacks.get(login.state);
    if (known) return known;
    const exchange = this.#sent(url, login);
    this.#callbacks.set(login.state, exchange);
    const forget = () => {
      const timer = setTimeout(() => this.#callbacks.delete(login.state), 60_000) as { unref?: () => void } | number;
      if (typeof timer === 'object') timer.unref?.();
    };
    exchange.then(forget, forget);
    return exchange;
  }

  async #sent(url: URL, login: Login): Promise<Kept | undefined> {
    if (!(await this.#isFirst(login.state))) return undefined;
    const tokens = await this.#application.exchangeCode(url, login);
    return this.#sessions.started(tokens, login.state, login.to);
  }

  /** Whether no other process has sent the code. A store that cannot tell stops no sign-in. */
  async #isFirst(state: string): Promise<boolean> {
    // In the memory of this process it is remembered above, and must take no room from logout tokens.
    const { replays } = this.#options;
    try {
      return !replays || (await replays.add(`callback:${await digest(state)}`, LOGIN_SECS));
    } catch {
      return true;
    }
  }

  async #loginName(state: string): Promise<string> {
    return `${this.cookies.named(LOGIN)}${(await digest(state)).slice(0, 10)}`;
  }

  async #page(request: Request, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return this.#failed(error, request, []);
    }
  }

  async #failed(error: AuthError, request: Request, changes: CookieChange[]): Promise<Response> {
    const page = (await this.#options.onError?.(error, request)) ?? errorPage(error, this.loginUrl());
    return this.withCookies(page, changes);
  }
}

const ROUTES = ['login', 'callback', 'logout', 'session', 'backchannel-logout'] as const;
type Route = (typeof ROUTES)[number];

/** The path that an application is served below, as addresses have it; nothing for the root. */
function mountOf(basePath: string | undefined, { origin, pathname }: URL): string {
  const mount = basePath ? withoutSlash(new URL(`/${basePath.replace(/^\/+/, '')}`, origin).pathname) : '';
  if (pathname.startsWith(`${mount}/`)) return mount;
  throw new AuthError('invalid_configuration', 'redirectUri is not below basePath.');
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

function notAllowed(allow: string): Response {
  return new AuthError('method_not_allowed', `This route takes ${allow}.`, { status: 405, headers: { allow } }).toResponse();
}
