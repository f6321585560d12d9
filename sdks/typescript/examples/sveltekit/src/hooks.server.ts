import { building } from '$app/environment';
import { env } from '$env/dynamic/private';
import { createAuthHandlers } from '@svc/sveltekit';

export const { handle } = createAuthHandlers(
  () => ({
    issuer: env.SVC_ISSUER!,
    clientId: env.SVC_CLIENT_ID!,
    clientSecret: env.SVC_CLIENT_SECRET,
    redirectUri: env.SVC_REDIRECT_URI!,
    postLogoutRedirectUri: '/',
    cookieSecrets: env.SVC_COOKIE_SECRET?.split(' ') ?? [], // the current one, then former ones
    scopes: ['openid', 'profile', 'email', 'offline_access', 'notes:read'],
    resource: 'https://api.demo.example', // the API that access tokens are for
  }),
  { protect: ['/account'], building },
);
