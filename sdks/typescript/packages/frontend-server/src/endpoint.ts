// API routes of frameworks whose events carry the request: they take requests with a good access token only.
import { type AccessTokenRules, type VerifiedAccessToken, requireAccessToken } from './access-token.js';
import { AuthError } from './error.js';

/** A handler of a framework's events, called once the access token has passed. */
export type Endpoint<Event> = (event: Event, token: VerifiedAccessToken) => Response | Promise<Response>;

/** Protects an endpoint by the ten rules; without one it gives the function that takes a request. */
export function requireAccessTokenAt(rules: AccessTokenRules): (request: Request) => Promise<VerifiedAccessToken>;
export function requireAccessTokenAt<Event extends { request: Request }>(
  rules: AccessTokenRules,
  endpoint: Endpoint<Event>,
): (event: Event) => Promise<Response>;
export function requireAccessTokenAt<Event extends { request: Request }>(rules: AccessTokenRules, endpoint?: Endpoint<Event>) {
  const authorize = requireAccessToken(rules);
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
