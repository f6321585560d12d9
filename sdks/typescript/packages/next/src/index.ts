// Sign-in for Next.js: one object with what routes, components, actions and the proxy need.
export { type AuthHandlers, type NextAuthOptions, createAuthHandlers } from './handlers.js';
export { type ApiRequest, type PagesHandlers, requireAccessTokenInPages } from './pages-router.js';
export { type ProtectedRoute, requireAccessToken } from './protected.js';
export {
  type AccessTokenClaims,
  type AccessTokenRules,
  type ApplicationOptions,
  AuthError,
  type AuthOptions,
  type AuthorizationRequest,
  type EndedSessions,
  MemoryEndedSessions,
  MemoryReplayStore,
  type ReplayStore,
  type Session,
  type Tokens,
  type VerifiedAccessToken,
  createAuthorizationUrl,
  createResourceServer,
  exchangeCode,
  oauthSignOut,
  receiveWebhook,
  verifyWebhook,
} from '@svc/frontend-server';
