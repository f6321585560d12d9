/** Sign-in with svc. */
export { createClient } from './client.js';
export { SvcError } from './errors.js';
export type { SessionStorage, StorageKind } from './storage.js';
export type {
  CallbackResult, Client, ClientOptions, LoginOptions, Organization, SessionState, TokenOptions, User,
} from './types.js';
