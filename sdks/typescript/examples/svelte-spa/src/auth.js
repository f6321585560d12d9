import { createClient } from '@svc/client';

export const client = createClient({
  baseURL: import.meta.env.VITE_SVC_ISSUER,
  oauth: { clientId: import.meta.env.VITE_SVC_CLIENT_ID, redirectUri: `${location.origin}/callback` },
});

/** What an API of the application would say of the person: "initech:Initech,hooli:Hooli". */
export const organizations = (import.meta.env.VITE_ORGANIZATIONS ?? '').split(',').filter(Boolean).map((one) => {
  const [id, name] = one.split(':');
  return { id, slug: id, name, roles: [] };
});
