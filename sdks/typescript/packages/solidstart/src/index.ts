// Sign-in for SolidStart.
export { type AuthHandlers, type Protected, type ServerEvent, type SolidStartAuthOptions, createAuthHandlers } from './handlers.js';
export { requireAccessToken } from './protected.js';
export * from '@svc/frontend-server/public';
