// The hook: it answers the routes, renews the session, turns away requests without one, and sets in `locals` who is signed in.
import { Auth, AuthError, type AuthOptions, type CookieChange, type Session, isWithin } from '@svc/frontend-server';
import { type Handle, type RequestEvent, redirect } from '@sveltejs/kit';

/** What `event.locals.auth` holds. */
export interface LocalAuth {
  session: Session | null;
  /** The access token of the signed-in person, renewed when it is about to end, or with `force` after an API refused it. Never return it from `load`. */
  getAccessToken(options?: { force?: boolean }): Promise<string>;
  /** In form actions: ends the session here and at the service. */
  signOut(): Promise<never>;
  /** In actions and `load`: redirects to the sign-in, and back to a path afterwards. */
  signIn(returnTo?: string, parameters?: Record<string, string>): never;
}

export interface SvelteKitOptions {
  /** The pages that need a session: folders, or a rule of your own. */
  protect?: string[] | ((event: RequestEvent) => boolean);
  /** `building` of `$app/environment` (`$app/env` in SvelteKit 3), for applications with prerendered pages: they are made without the settings of a deployment. */
  building?: boolean;
}

/** As `AuthOptions`, or what makes them when they are first needed. */
export type SvelteKitAuthOptions = AuthOptions | (() => AuthOptions);

const FORMS = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

/** Makes the `handle` of `src/hooks.server.ts`. */
export function createAuthHandlers(options: SvelteKitAuthOptions, { protect = [], building = false }: SvelteKitOptions = {}): { handle: Handle } {
  let made: Auth | undefined;
  const core = () => (made ??= new Auth(typeof options === 'function' ? options() : options));
  const handle: Handle = async ({ event, resolve }) => {
    if (building) return prerendered(event, resolve, protect);
    const route = core().routeOf(event.url.pathname);
    // SvelteKit's own check would refuse the service's notices, which come with no origin; here it leaves out those alone.
    if (isForeignForm(event.request, core()) && route !== 'backchannel-logout') {
      return new AuthError('forbidden', 'Forms of other sites are not taken.', { status: 403 }).toResponse();
    }
    if (route) return core().handle(event.request);
    const { session, changes } = await core().renew(event.request.headers.get('cookie'));
    keep(event, core(), changes);
    if (!session && isProtected(event, protect)) {
      const { headers, method } = event.request;
      // SvelteKit's scripts follow what is thrown: those of its links, remote functions and forms.
      const isScript = event.isDataRequest || event.isRemoteRequest || (method === 'POST' && headers.get('x-sveltekit-action') === 'true');
      const isPage = isScript || (headers.get('accept') ?? '').includes('text/html');
      // SvelteKit adds cookies to what `resolve` answers and to redirects, and to nothing else.
      if (!isPage || (method !== 'GET' && method !== 'POST')) return core().withCookies(core().refuse(event.request), changes);
      if (method === 'GET') redirect(302, pathOf(core().loginUrl(`${event.url.pathname}${event.url.search}`)));
      // The query of a form's address names its action.
      redirect(303, pathOf(core().loginUrl(event.url.pathname)));
    }
    (event.locals as { auth: LocalAuth }).auth = localAuth(event, core(), session);
    return resolve(event);
  };
  return { handle };
}

/** The routes that pages link to, wherever they are. */
const LINKED = /\/(login|logout|session)\/?$/;

/** A page that is made while the application is built, for everyone alike. */
function prerendered(event: RequestEvent, resolve: Parameters<Handle>[0]['resolve'], protect: NonNullable<SvelteKitOptions['protect']>) {
  // SvelteKit follows the links of such pages: those to our routes are for the server that runs later.
  if (event.route.id === null && LINKED.test(event.url.pathname)) return new Response(null, { status: 204 });
  // INVARIANT: what is made here is a file, which is served before any hook runs.
  if (isProtected(event, protect)) throw atBuild('protect names a page with `prerender`, which is a file that everyone gets: take `prerender` away from it.');
  (event.locals as { auth: LocalAuth }).auth = STRANGER;
  return resolve(event);
}

const atBuild = (why: string) => new AuthError('invalid_configuration', why, { status: 500 });
const withoutSession = (): never => {
  throw atBuild('locals.auth of a page with `prerender` has no session to act on: take `prerender` away from it.');
};
const STRANGER: LocalAuth = { session: null, getAccessToken: async () => withoutSession(), signOut: async () => withoutSession(), signIn: withoutSession };

function localAuth(event: RequestEvent, core: Auth, session: Session | null): LocalAuth {
  return {
    session,
    getAccessToken: async (options) => {
      const { accessToken, changes } = await core.accessToken(field(event), options);
      keep(event, core, changes);
      return accessToken;
    },
    signOut: async () => {
      const { location, changes } = await core.signOut(field(event));
      keep(event, core, changes);
      redirect(303, location);
    },
    signIn: (returnTo = '/', parameters = {}) => redirect(303, pathOf(core.loginUrl(returnTo, parameters))),
  };
}

/** The cookies as they are by now. */
function field({ cookies }: RequestEvent): string {
  return cookies.getAll().map(({ name, value }) => `${name}=${value}`).join('; ');
}

function keep({ cookies }: RequestEvent, { cookies: { isSecure } }: Auth, changes: CookieChange[]): void {
  for (const { name, value, maxAge } of changes) {
    cookies.set(name, value, { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge, encode: (text) => text });
  }
}

function isProtected(event: RequestEvent, rule: NonNullable<SvelteKitOptions['protect']>): boolean {
  return typeof rule === 'function' ? rule(event) : isWithin(event.url.pathname, rule);
}

function isForeignForm(request: Request, core: Auth): boolean {
  const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  return changes && FORMS.test(request.headers.get('content-type') ?? '') && !core.isSameOrigin(request);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
