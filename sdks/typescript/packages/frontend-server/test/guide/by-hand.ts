import { type AuthorizationRequest, createAuthorizationUrl, exchangeCode, oauthSignOut } from '@svc/next/server';

const options = {
  issuer: 'https://id.example',
  clientId: 'app_1',
  clientSecret: process.env.SVC_CLIENT_SECRET!,
  redirectUri: 'https://shop.example/callback',
};

/** Keep what is to be remembered where only this browser brings it back, and lead it to `url`. */
export const begin = () => createAuthorizationUrl(options);
export const end = (url: URL, remembered: AuthorizationRequest) => exchangeCode(options, url, remembered);
/** The address of the service's sign-out. */
export const leave = (tokens: Awaited<ReturnType<typeof end>>) => oauthSignOut(options, tokens);
