// What the components of this package share.
import type { Client, SessionState } from '@svc/client';
import { getContext, setContext } from 'svelte';
import { type Readable, readable } from 'svelte/store';
import { UNKNOWN } from '@svc/frontend-ui';
export { isToSignIn, mountOrganizationSwitcher, mountUserButton, partFor, styled } from '@svc/frontend-ui';

const KEY = 'svc';

/** Gives a client to the component that calls it and everything below. */
export function setClient(client: Client): Client {
  return setContext(KEY, client);
}

export function useClient(): Client {
  const client = getContext<Client | undefined>(KEY);
  if (!client) throw new Error('svc: no component above called setClient(client)');
  return client;
}

/** The session as a store. */
export function useSession(client: Client = useClient()): Readable<SessionState> {
  // A server knows no session, and subscribes to nothing.
  if (typeof document === 'undefined') return readable(UNKNOWN);
  return readable(client.getSnapshot(), (set) => {
    set(client.getSnapshot());
    return client.subscribe(() => set(client.getSnapshot()));
  });
}
