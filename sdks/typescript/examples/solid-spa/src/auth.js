import { createClient } from '@svc/client';

export const client = createClient({
  baseURL: import.meta.env.VITE_SVC_ISSUER,
  oauth: { clientId: import.meta.env.VITE_SVC_CLIENT_ID, redirectUri: `${location.origin}/callback` },
});
