import { createClient } from '@svc/client';

export const client = createClient({
  baseURL: process.env.EXPO_PUBLIC_SVC_ISSUER,
  oauth: { clientId: process.env.EXPO_PUBLIC_SVC_WEB_CLIENT_ID, redirectUri: `${location.origin}/callback` },
});
