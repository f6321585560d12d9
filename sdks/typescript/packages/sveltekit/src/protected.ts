// Endpoints that are an API: they take requests with a good access token only.
import { type AccessTokenRules, type Endpoint, type VerifiedAccessToken, requireAccessTokenAt } from '@svc/frontend-server';
import type { RequestEvent } from '@sveltejs/kit';

/** Protects an endpoint of `+server.ts` by the ten rules; without one it gives the function that takes a request. */
export const requireAccessToken: {
  (rules: AccessTokenRules): (request: Request) => Promise<VerifiedAccessToken>;
  <Event extends RequestEvent>(rules: AccessTokenRules, endpoint: Endpoint<Event>): (event: Event) => Promise<Response>;
} = requireAccessTokenAt;
