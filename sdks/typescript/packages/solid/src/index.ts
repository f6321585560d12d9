/** Sign-in with svc for Solid. */
import type { Client, LoginOptions, SessionState } from '@svc/client';
import {
  type OrganizationSwitcherOptions, type Requirement, type UserButtonOptions, isAllowed, mountOrganizationSwitcher, mountUserButton, styled,
} from '@svc/frontend-ui';
import { type Accessor, type JSX, createComponent, createContext, createMemo, createSignal, onCleanup, onMount, useContext } from 'solid-js';

const Context = createContext<Client>();
const hasPage = typeof document !== 'undefined';

/** Gives a client to everything below it. */
export function SvcProvider(props: { client: Client; children?: JSX.Element }): JSX.Element {
  return createComponent(Context.Provider, {
    value: props.client,
    get children() {
      return props.children;
    },
  });
}

export function useClient(): Client {
  const client = useContext(Context);
  if (!client) throw new Error('svc: no SvcProvider above this component');
  return client;
}

export function useSession(): Accessor<SessionState> {
  const client = useClient();
  const [state, setState] = createSignal(client.getSnapshot());
  if (hasPage) onCleanup(client.subscribe(() => void setState(() => client.getSnapshot())));
  return state;
}

/** A button that signs in; absent while a person is signed in. */
export function SignInButton(props: { options?: LoginOptions; onError?: (error: unknown) => void; label?: string }): JSX.Element {
  const client = useClient();
  const state = useSession();
  if (!hasPage) return null;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = styled();
  button.textContent = props.label ?? 'Sign in';
  button.onclick = () => void client.login(props.options).catch((error: unknown) => props.onError?.(error));
  return createMemo(() => (state().status === 'signed-in' ? null : button)) as unknown as JSX.Element;
}

export function UserButton(props: UserButtonOptions): JSX.Element {
  return mounted((host, client) => mountUserButton(host, client, props));
}

export function OrganizationSwitcher(props: OrganizationSwitcherOptions): JSX.Element {
  return mounted((host, client) => mountOrganizationSwitcher(host, client, props));
}

/** Shows its children only to people who meet the requirement. */
export function Protect(props: Requirement & { children?: JSX.Element; fallback?: JSX.Element }): JSX.Element {
  const state = useSession();
  const isShown = createMemo(() => isAllowed(state(), props));
  return createMemo(() => (isShown() ? props.children : props.fallback)) as unknown as JSX.Element;
}

function mounted(mount: (host: HTMLElement, client: Client) => () => void): JSX.Element {
  const client = useClient();
  if (!hasPage) return null;
  const host = document.createElement('span');
  onMount(() => onCleanup(mount(host, client)));
  return host;
}
