// Sign-in for Next.js: one object with what routes, components, actions and the proxy need.
export { type AuthHandlers, type NextAuthOptions, createAuthHandlers } from './handlers.js';
export { type ApiRequest, type PagesHandlers, requireAccessTokenInPages } from './pages-router.js';
export { type ProtectedRoute, requireAccessToken } from './protected.js';
export * from '@svc/frontend-server/public';
