// The App Router's side: route handlers, server components and actions, and the proxy (formerly middleware).
import { Auth, AuthError, type AuthOptions, type CookieChange, type Session, isWithin } from '@svc/frontend-server';
import type { NextRequest } from 'next/server.js';
import { type PagesHandlers, pagesHandlers } from './pages-router.js';

/** `AuthOptions`, or a function that makes them when they are first needed: `next build` has no secrets. */
export type NextAuthOptions = AuthOptions | (() => AuthOptions);

/** The pages that need a session: folders, or a rule of your own. */
export type Protected = string[] | ((request: NextRequest) => boolean);

export interface AuthHandlers {
  /** For `app/auth/[...svc]/route.ts`. */
  GET(request: Request): Promise<Response>;
  POST(request: Request): Promise<Response>;
  /** Who is signed in, in server components, actions and route handlers. */
  auth(): Promise<Session | null>;
  /** The access token of the signed-in person, renewed when it is about to end, or with `force` after an API refused it. Not for client components. */
  getAccessToken(options?: { force?: boolean }): Promise<string>;
  /** In actions: redirects to the sign-in, and back to a path afterwards. */
  signIn(returnTo?: string, parameters?: Record<string, string>): Promise<never>;
  /** In actions: ends the session here and at the service. */
  signOut(): Promise<never>;
  /** For `proxy.ts` (`middleware.ts` before Next.js 16): renews tokens, and sends people without a session to the sign-in. */
  createProxy(options?: { protect?: Protected }): (request: NextRequest) => Promise<Response>;
  /** The same for the Pages Router. */
  pages: PagesHandlers;
}

/** Makes the handlers of an application from its registration at the service. */
export function createAuthHandlers(options: NextAuthOptions): AuthHandlers {
  let made: Auth | undefined;
  const core = () => (made ??= new Auth(typeof options === 'function' ? options() : options));
  return {
    GET: (request) => core().handle(request),
    POST: (request) => core().handle(request),
    auth: async () => {
      // Asking for cookies first tells `next build` that the page is made for each request.
      const field = await cookieField();
      return core().read(field);
    },
    getAccessToken: async ({ force = false } = {}) => {
      const field = await cookieField();
      return accessToken(core(), field, force);
    },
    signIn: async (returnTo = '/', parameters = {}) => (await navigation()).redirect(core().loginUrl(returnTo, parameters)),
    signOut: async () => {
      const field = await cookieField();
      const { location, changes } = await core().signOut(field);
      await setCookies(core(), changes);
      return (await navigation()).redirect(location);
    },
    createProxy: (rules = {}) => (request) => proxied(core(), request, rules.protect ?? []),
    pages: pagesHandlers(core),
  };
}

async function accessToken(core: Auth, field: string, force: boolean): Promise<string> {
  // A new refresh token that cannot be kept would be lost, and the session with it.
  if ((force || (await core.endsSoon(field))) && !(await maySetCookies())) {
    const when = force ? 'is to be renewed' : 'has ended';
    throw new AuthError('renewal_impossible', `The access token ${when}, and a server component cannot keep a new one: renew it in proxy.ts.`, { status: 500 });
  }
  const { accessToken: token, changes } = await core.accessToken(field, { force });
  if (changes.length > 0) await setCookies(core, changes);
  return token;
}

async function proxied(core: Auth, request: NextRequest, rule: Protected): Promise<Response> {
  const { NextResponse } = await import('next/server.js');
  const { pathname } = new URL(request.url);
  // The routes look after their own cookies.
  if (core.routeOf(pathname)) return NextResponse.next();
  const field = request.headers.get('cookie');
  const { session, changes } = await core.renew(field);
  // What Next.js routes by has neither base path nor locale; the address as it came may be meant as well.
  const isProtected = typeof rule === 'function' ? rule(request) : [pathname, request.nextUrl.pathname].some((path) => isWithin(path, rule));
  if (!session && isProtected) return core.withCookies(core.refuse(request), changes);
  const headers = new Headers(request.headers);
  // What runs after the proxy sees the renewed session already.
  if (changes.length > 0) headers.set('cookie', core.cookiesAfter(field, changes));
  return core.withCookies(NextResponse.next({ request: { headers } }), changes);
}

async function cookieField(): Promise<string> {
  const { cookies } = await import('next/headers.js');
  return (await cookies()).getAll().map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function setCookies({ cookies: { isSecure } }: Auth, changes: CookieChange[]): Promise<void> {
  const { cookies } = await import('next/headers.js');
  const store = await cookies();
  for (const { name, value, maxAge } of changes) {
    store.set({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure });
  }
}

/** Whether this is an action or a route handler: components may only read cookies. */
async function maySetCookies(): Promise<boolean> {
  const { cookies } = await import('next/headers.js');
  try {
    (await cookies()).delete('svc-probe');
    return true;
  } catch {
    return false;
  }
}

function navigation() {
  return import('next/navigation.js');
}
