// Route handlers that are an API: they take requests with a good access token only.
import { type AccessTokenRules, AuthError, type VerifiedAccessToken, requireAccessToken as authorizer } from '@svc/frontend-server';

/** A route handler that is given the token of the request. */
export type ProtectedRoute<Context> = (request: Request, token: VerifiedAccessToken, context: Context) => Response | Promise<Response>;

/**
 * Protects a route handler by the ten rules: `export const GET = requireAccessToken(rules, (request, { claims }) => …)`. Without
 * a handler it gives the function that takes a request and gives its token, or throws an `AuthError`.
 */
export function requireAccessToken(rules: AccessTokenRules): (request: Request) => Promise<VerifiedAccessToken>;
export function requireAccessToken<Context>(rules: AccessTokenRules, route: ProtectedRoute<Context>): (request: Request, context: Context) => Promise<Response>;
export function requireAccessToken<Context>(rules: AccessTokenRules, route?: ProtectedRoute<Context>) {
  if (!route) return authorizer(rules);
  const authorize = authorizer(rules);
  return async (request: Request, context: Context) => {
    let token;
    try {
      token = await authorize(request);
    } catch (error) {
      if (error instanceof AuthError) return error.toResponse();
      throw error;
    }
    return route(request, token, context);
  };
}
