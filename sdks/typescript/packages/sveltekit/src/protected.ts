// Endpoints that are an API: they take requests with a good access token only.
import { type AccessTokenRules, AuthError, type VerifiedAccessToken, requireAccessToken as authorizer } from '@svc/frontend-server';
import type { RequestEvent } from '@sveltejs/kit';

/** Protects an endpoint of `+server.ts` by the ten rules; without one it gives the function that takes a request. */
export function requireAccessToken(rules: AccessTokenRules): (request: Request) => Promise<VerifiedAccessToken>;
export function requireAccessToken<Event extends RequestEvent>(
  rules: AccessTokenRules,
  endpoint: (event: Event, token: VerifiedAccessToken) => Response | Promise<Response>,
): (event: Event) => Promise<Response>;
export function requireAccessToken<Event extends RequestEvent>(
  rules: AccessTokenRules,
  endpoint?: (event: Event, token: VerifiedAccessToken) => Response | Promise<Response>,
) {
  const authorize = authorizer(rules);
  if (!endpoint) return authorize;
  return async (event: Event) => {
    let token;
    try {
      token = await authorize(event.request);
    } catch (error) {
      if (error instanceof AuthError) return error.toResponse();
      throw error;
    }
    return endpoint(event, token);
  };
}
