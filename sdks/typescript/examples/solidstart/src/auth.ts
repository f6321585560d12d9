import { createAuthHandlers } from '@svc/solidstart';

export const { GET, POST, onRequest, auth, getAccessToken, signOut } = createAuthHandlers(() => ({
  issuer: process.env.SVC_ISSUER!,
  clientId: process.env.SVC_CLIENT_ID!,
  clientSecret: process.env.SVC_CLIENT_SECRET,
  redirectUri: process.env.SVC_REDIRECT_URI!,
  postLogoutRedirectUri: '/',
  cookieSecrets: process.env.SVC_COOKIE_SECRET?.split(' ') ?? [], // the current one, then former ones
  scopes: ['openid', 'profile', 'email', 'offline_access', 'notes:read'],
  resource: 'https://api.demo.example', // the API that access tokens are for
}));
