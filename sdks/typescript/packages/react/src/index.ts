/** Sign-in with svc for React. */
import { type Client, type LoginOptions, type SessionState } from '@svc/client';
import {
  type OrganizationSwitcherOptions, type Requirement, type UserButtonOptions, isAllowed, mountOrganizationSwitcher, mountUserButton, styled,
} from '@svc/frontend-ui';
import {
  type ButtonHTMLAttributes, type ReactElement, type ReactNode, createContext, createElement, useContext, useEffect, useRef, useSyncExternalStore,
} from 'react';

const Context = createContext<Client | null>(null);
/** What a server renders, which knows no session. */
const UNKNOWN: SessionState = { status: 'loading', user: null, organization: null, scopes: [], acr: null, error: null };

/** Gives a client to everything below it. */
export function SvcProvider({ client, children }: { client: Client; children?: ReactNode }): ReactElement {
  return createElement(Context.Provider, { value: client }, children);
}

export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error('svc: no SvcProvider above this component');
  return client;
}

export function useSession(): SessionState {
  const client = useClient();
  return useSyncExternalStore(client.subscribe, client.getSnapshot, () => UNKNOWN);
}

export interface SignInButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onError'> {
  options?: LoginOptions;
  onError?: (error: unknown) => void;
}

/** A button that signs in; absent while a person is signed in. */
export function SignInButton({ options, onError, children = 'Sign in', className, ...rest }: SignInButtonProps): ReactElement | null {
  const client = useClient();
  if (useSession().status === 'signed-in') return null;
  const onClick = (): void => void client.login(options).catch((error: unknown) => onError?.(error));
  return createElement('button', { type: 'button', ...rest, className: className ?? styled(), onClick }, children);
}

export function UserButton(options: UserButtonOptions): ReactElement {
  return useMounted(mountUserButton, options);
}

export function OrganizationSwitcher(options: OrganizationSwitcherOptions): ReactElement {
  return useMounted(mountOrganizationSwitcher, options);
}

export interface ProtectProps extends Requirement {
  children?: ReactNode;
  /** What everyone else sees. */
  fallback?: ReactNode;
}

/** Shows its children only to people who meet the requirement. */
export function Protect({ children, fallback, ...requirement }: ProtectProps): ReactNode {
  return isAllowed(useSession(), requirement) ? children : fallback;
}

function useMounted<O extends object>(mount: (host: HTMLElement, client: Client, options: O) => () => void, options: O): ReactElement {
  const client = useClient();
  const host = useRef<HTMLSpanElement>(null);
  const latest = useRef(options);
  useEffect(() => void (latest.current = options));
  const data = JSON.stringify(options, (_, value: unknown) => (typeof value === 'function' ? 'function' : value));
  useEffect(() => {
    // Functions are new at every rendering: the last ones are called, and the menu stays.
    const live = Object.entries(options).map(([name, value]) => [name, typeof value !== 'function' ? value
      : (...values: unknown[]) => (latest.current as Record<string, ((...all: unknown[]) => void) | undefined>)[name]?.(...values)]);
    return mount(host.current as HTMLElement, client, Object.fromEntries(live) as O);
  }, [client, data]);
  return createElement('span', { ref: host });
}
