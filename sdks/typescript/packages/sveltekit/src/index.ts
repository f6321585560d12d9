// Sign-in for SvelteKit.
export { type LocalAuth, type SvelteKitAuthOptions, type SvelteKitOptions, createAuthHandlers } from './handlers.js';
export { requireAccessToken } from './protected.js';
export * from '@svc/frontend-server/public';
