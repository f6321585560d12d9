/** Sign-in with svc for React. */
import { type Client, type LoginOptions, type SessionState } from '@svc/client';
import {
  type OrganizationSwitcherOptions, type Requirement, UNKNOWN, type UserButtonOptions, isToSignIn, mountOrganizationSwitcher, mountUserButton, partFor,
  styled,
} from '@svc/frontend-ui';
import {
  type ButtonHTMLAttributes, type MouseEvent, type ReactElement, type ReactNode, createContext, createElement, useContext, useEffect, useRef, useSyncExternalStore,
} from 'react';

const Context = createContext<Client | null>(null);

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

/** A button that signs in; absent while a person is signed in, unless `options` ask for more than the session has. */
export function SignInButton({ options, onError, onClick, children = 'Sign in', className, ...rest }: SignInButtonProps): ReactElement | null {
  const client = useClient();
  if (!isToSignIn(useSession(), options)) return null;
  const act = (event: MouseEvent<HTMLButtonElement>): void => {
    onClick?.(event);
    if (!event.defaultPrevented) client.login(options).catch((error: unknown) => onError?.(error));
  };
  return createElement('button', { type: 'button', ...rest, className: className ?? styled(), onClick: act }, children);
}

export function UserButton(options: UserButtonOptions): ReactElement {
  return useMounted(mountUserButton, options);
}

export function OrganizationSwitcher(options: OrganizationSwitcherOptions): ReactElement {
  return useMounted(mountOrganizationSwitcher, options);
}

export interface ProtectProps extends Requirement {
  children?: ReactNode;
  /** What everyone else sees, such as a `SignInButton` with the `acrValues` that are missing. */
  fallback?: ReactNode;
  /** What is seen while it is not known whether a person is signed in; by default `fallback`. */
  loading?: ReactNode;
}

/** Shows its children only to people who meet the requirement. */
export function Protect({ children, fallback, loading = fallback, ...requirement }: ProtectProps): ReactNode {
  return { children, fallback, loading }[partFor(useSession(), requirement)] ?? null;
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
