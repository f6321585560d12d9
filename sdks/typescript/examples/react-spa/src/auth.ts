import { type Organization, type StorageKind, createClient } from '@svc/client';

const { VITE_SVC_ISSUER, VITE_SVC_CLIENT_ID, VITE_SVC_STORAGE = 'memory', VITE_SVC_DPOP } = import.meta.env;

export const client = createClient({
  baseURL: VITE_SVC_ISSUER,
  oauth: { clientId: VITE_SVC_CLIENT_ID, redirectUri: `${location.origin}/callback` },
  storage: VITE_SVC_STORAGE as StorageKind,
  dpop: VITE_SVC_DPOP === 'true',
});

/** What an API of the application would say of the person: "initech:Initech,hooli:Hooli". */
export const organizations = (import.meta.env.VITE_ORGANIZATIONS ?? '').split(',').filter(Boolean).map((one): Organization => {
  const [id = '', name = id] = one.split(':');
  return { id, slug: id, name, roles: [] };
});
