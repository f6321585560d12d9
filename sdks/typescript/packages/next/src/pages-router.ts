// The Pages Router's side: Node's requests and answers instead of `Request` and `Response`.
import { type AccessTokenRules, type Auth, AuthError, type CookieChange, type Session, type VerifiedAccessToken, requireAccessToken } from '@svc/frontend-server';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of an API route, whose body Next.js has read. */
export type ApiRequest = IncomingMessage & { body?: unknown };

export interface PagesHandlers {
  /** For `pages/api/auth/[...svc].ts`. */
  handler(request: ApiRequest, reply: ServerResponse): Promise<void>;
  /** Who is signed in, for `getServerSideProps` and API routes. Renews tokens that are about to end. */
  auth(context: { req: IncomingMessage; res: ServerResponse }): Promise<Session | null>;
  /** The access token of the signed-in person, renewed when it is about to end, or with `force` after an API refused it. */
  getAccessToken(context: { req: IncomingMessage; res: ServerResponse }, options?: { force?: boolean }): Promise<string>;
}

/** The handlers of an application. */
export function pagesHandlers(core: () => Auth): PagesHandlers {
  const keep = (reply: ServerResponse, changes: CookieChange[]) => {
    for (const change of changes) reply.appendHeader('set-cookie', core().cookies.serialized(change));
  };
  return {
    handler: async (request, reply) => send(await core().handle(webRequest(request, core().origin)), reply),
    auth: async ({ req, res }) => {
      const { session, changes } = await core().renew(req.headers.cookie);
      keep(res, changes);
      return session;
    },
    getAccessToken: async ({ req, res }, options) => {
      const { accessToken, changes } = await core().accessToken(req.headers.cookie, options);
      keep(res, changes);
      return accessToken;
    },
  };
}

/** An API route that takes requests with a good access token only. */
export function requireAccessTokenInPages<Request extends ApiRequest, Reply extends ServerResponse>(
  rules: AccessTokenRules,
  route: (request: Request, reply: Reply, token: VerifiedAccessToken) => unknown,
): (request: Request, reply: Reply) => Promise<void> {
  const authorize = requireAccessToken(rules);
  const { origin = '' } = rules;
  return async (request, reply) => {
    let token;
    try {
      // A prefix of the origin is put before the path where the proof is judged. `Host` is what the caller says, and may be no name at all.
      const homes = [origin, `http://${request.headers.host}`, 'http://localhost'];
      const home = new URL(homes.find((one) => URL.canParse(one))!).origin;
      token = await authorize(webRequest(request, home));
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return send(error.toResponse(), reply);
    }
    await route(request, reply, token);
  };
}

function webRequest(request: ApiRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  const method = request.method ?? 'GET';
  const init: RequestInit = { method, headers };
  if (method !== 'GET' && method !== 'HEAD' && request.body) {
    init.body = typeof request.body === 'string' ? request.body : new URLSearchParams(request.body as Record<string, string>).toString();
  }
  return new Request(`${origin}${request.url ?? '/'}`, init);
}

async function send(reply: Response, to: ServerResponse): Promise<void> {
  to.statusCode = reply.status;
  reply.headers.forEach((value, name) => {
    if (name !== 'set-cookie') to.setHeader(name, value);
  });
  for (const cookie of reply.headers.getSetCookie()) to.appendHeader('set-cookie', cookie);
  to.end(Buffer.from(await reply.arrayBuffer()));
}
