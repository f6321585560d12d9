// A client that says what a test wants it to say.
import type { Client, SessionState } from '@svc/client';
import { vi } from 'vitest';

export const SIGNED_OUT: SessionState = { status: 'signed-out', user: null, organization: null, scopes: [], acr: null, error: null };
export const ADA: SessionState = {
  status: 'signed-in',
  user: { sub: 'usr_1', name: '<b>Ada</b>' },
  organization: { id: 'org_1', slug: 'initech', roles: ['editor'] },
  scopes: ['openid', 'notes:read'],
  acr: 'urn:svc:aal1',
  error: null,
};
export const ORGANIZATIONS = [{ id: 'org_1', slug: 'initech', name: 'Initech', roles: [] }, { id: 'org_2', slug: 'hooli', name: 'Hooli', roles: [] }];

export function clientWith(first: SessionState) {
  const listeners = new Set<() => void>();
  let state = first;
  const calls = {
    login: vi.fn(async () => {}),
    logout: vi.fn(async () => {}),
    switchOrganization: vi.fn(async () => {}),
    organizations: vi.fn(async () => ORGANIZATIONS),
  };
  const client = {
    ...calls,
    options: {},
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    getSnapshot: () => state,
  } as unknown as Client;
  return {
    client,
    calls,
    listeners,
    become(next: SessionState) {
      state = next;
      listeners.forEach((listener) => listener());
    },
  };
}

/** Returns when the frameworks have done what was due. They work in slices, one in a turn of the event loop; a page of a test has fewer parts than turns are waited for. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
export const $ = (selector: string): HTMLElement | null => document.querySelector(selector);
export const press = (key: string): boolean =>
  (document.activeElement as HTMLElement).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
