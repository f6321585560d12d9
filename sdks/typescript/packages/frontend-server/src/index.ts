// Everything that the packages for servers share.
export {
  type AccessTokenClaims,
  type AccessTokenRules,
  type Actor,
  type SubjectType,
  type VerifiedAccessToken,
  requireAccessToken,
} from './access-token.js';
export {
  type ApplicationOptions,
  type AuthorizationRequest,
  type SignOut,
  type Tokens,
  createAuthorizationUrl,
  exchangeCode,
  oauthSignOut,
} from './application.js';
export { type CallbackOutcome, type CallbackRefusal, readCallback } from './callback.js';
export { type CookieChange } from './cookies.js';
export { checkDiscovery } from './discovery.js';
export { type DpopExpectation, verifyDpopProof } from './dpop.js';
export { type EndedSessions, MemoryEndedSessions, type SessionName } from './ended-sessions.js';
export { type Endpoint, requireAccessTokenAt } from './endpoint.js';
export { AuthError, type AuthErrorDetails } from './error.js';
export { type Fetch } from './fetching.js';
export { isWithin } from './folders.js';
export { type AccessToken, Auth, type AuthOptions, createAuth } from './handlers.js';
export { type Keys, KnownKeys } from './keys.js';
export { type Page, everyItem } from './pages.js';
export { codeChallenge, createCodeVerifier, isCodeVerifier, isVerifierOf } from './pkce.js';
export { MemoryReplayStore, type ReplayStore } from './replays.js';
export { type ResourceServer, type ResourceServerOptions, createResourceServer } from './resource-server.js';
export { localPath } from './return-to.js';
export { type Session } from './session.js';
export { type Delivery, type WebhookOptions, type WebhookRefusal, receiveWebhook, verifyWebhook } from './webhooks.js';
