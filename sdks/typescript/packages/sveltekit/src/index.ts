// Sign-in for SvelteKit.
export { type LocalAuth, type SvelteKitAuthOptions, type SvelteKitOptions, createAuthHandlers } from './handlers.js';
export { requireAccessToken } from './protected.js';
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
