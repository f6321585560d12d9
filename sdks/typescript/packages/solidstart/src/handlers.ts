// Routes, middleware, and what server functions ask about the request that they serve.
import { Auth, AuthError, type AuthOptions, type CookieChange, type Session, isWithin } from '@svc/frontend-server';
import { getRequestEvent } from 'solid-js/web';

/** As much of SolidStart's events as is needed. */
export interface ServerEvent {
  request: Request;
  response: { headers: Headers };
  locals: Record<string | number | symbol, unknown>;
}

/** As `AuthOptions`, or what makes them when they are first needed. */
export type SolidStartAuthOptions = AuthOptions | (() => AuthOptions);

/** The pages that need a session: folders, or a rule of your own. */
export type Protected = string[] | ((event: ServerEvent) => boolean);

export interface AuthHandlers {
  /** For `src/routes/auth/[...svc].ts`. */
  GET(event: { request: Request }): Promise<Response>;
  POST(event: { request: Request }): Promise<Response>;
  /** For `createMiddleware` of `@solidjs/start/middleware`: renews tokens, and sends people without a session to the sign-in. */
  onRequest(options?: { protect?: Protected }): (event: ServerEvent) => Promise<Response | undefined>;
  /** On the server: who is signed in. */
  auth(): Promise<Session | null>;
  /**
   * On the server: the access token of the signed-in person, renewed when it is about to end, or with `force` after an API refused it. Never
   * return it to the browser.
   */
  getAccessToken(options?: { force?: boolean }): Promise<string>;
  /** On the server: the address of the sign-in, to redirect to; it leads back to a path afterwards. */
  signIn(returnTo?: string, parameters?: Record<string, string>): Promise<string>;
  /** On the server: ends the session; gives the address to redirect to. */
  signOut(): Promise<string>;
}

const CHANGED = 'svc.cookies';

/** Makes the handlers of an application from its registration at the service. */
export function createAuthHandlers(options: SolidStartAuthOptions): AuthHandlers {
  let made: Auth | undefined;
  const core = () => (made ??= new Auth(typeof options === 'function' ? options() : options));
  return {
    GET: ({ request }) => core().handle(request),
    POST: ({ request }) => core().handle(request),
    onRequest: ({ protect = [] } = {}) => (event) => entered(core(), event, protect),
    auth: async () => core().read(field(current())),
    getAccessToken: async (options) => {
      const event = current();
      const { accessToken, changes } = await core().accessToken(field(event), options);
      keep(event, core(), changes);
      return accessToken;
    },
    signIn: async (returnTo = '/', parameters = {}) => core().loginUrl(returnTo, parameters),
    signOut: async () => {
      const event = current();
      const { location, changes } = await core().signOut(field(event));
      keep(event, core(), changes);
      return location;
    },
  };
}

async function entered(core: Auth, event: ServerEvent, rule: Protected): Promise<Response | undefined> {
  const { pathname } = new URL(event.request.url);
  if (core.routeOf(pathname)) return undefined;
  const { session, changes } = await core.renew(field(event));
  const isProtected = typeof rule === 'function' ? rule(event) : isWithin(pathname, rule);
  if (!session && isProtected) return core.withCookies(core.refuse(event.request), changes);
  keep(event, core, changes);
  return undefined;
}

/** The cookies as they are by now: what was renewed a moment ago counts. */
function field(event: ServerEvent): string | null {
  return (event.locals[CHANGED] as string | undefined) ?? event.request.headers.get('cookie');
}

function keep(event: ServerEvent, core: Auth, changes: CookieChange[]): void {
  if (changes.length === 0) return;
  event.locals[CHANGED] = core.cookiesAfter(field(event), changes);
  for (const change of changes) event.response.headers.append('set-cookie', core.cookies.serialized(change));
}

function current(): ServerEvent {
  const event = getRequestEvent() as unknown as ServerEvent | undefined;
  if (!event) throw new AuthError('no_request', 'This is for the server, while it serves a request.', { status: 500 });
  return event;
}
