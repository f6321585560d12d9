// API routes that are an API: they take requests with a good access token only.
export { requireAccessTokenAt as requireAccessToken } from '@svc/frontend-server';
