/** Sign-in with svc for Solid. */
import type { Client, LoginOptions, SessionState } from '@svc/client';
import {
  type OrganizationSwitcherOptions, type Requirement, UNKNOWN, type UserButtonOptions, isToSignIn, mountOrganizationSwitcher, mountUserButton, partFor,
  styled,
} from '@svc/frontend-ui';
import {
  type Accessor, type JSX, createComponent, createContext, createEffect, createMemo, createSignal, onCleanup, onMount, sharedConfig, useContext,
} from 'solid-js';

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
  const [state, setState] = createSignal(hasPage && !isTakenOver() ? client.getSnapshot() : UNKNOWN);
  const show = (): void => void setState(() => client.getSnapshot());
  if (hasPage) {
    onCleanup(client.subscribe(show));
    onMount(show);
  }
  return state;
}

/** A button that signs in; absent while a person is signed in, unless `options` ask for more than the session has. */
export function SignInButton(props: { options?: LoginOptions; onError?: (error: unknown) => void; label?: string }): JSX.Element {
  const client = useClient();
  const state = useSession();
  return inPage(() => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = styled();
    createEffect(() => void (button.textContent = props.label ?? 'Sign in'));
    button.onclick = () => void client.login(props.options).catch((error: unknown) => props.onError?.(error));
    return createMemo(() => (isToSignIn(state(), props.options) ? button : null)) as unknown as JSX.Element;
  });
}

export function UserButton(props: UserButtonOptions): JSX.Element {
  return mounted((host, client) => mountUserButton(host, client, props));
}

export function OrganizationSwitcher(props: OrganizationSwitcherOptions): JSX.Element {
  return mounted((host, client) => mountOrganizationSwitcher(host, client, props));
}

/** Shows its children only to people who meet the requirement; `loading`, if it is given, while no session is known. */
export function Protect(props: Requirement & { children?: JSX.Element; fallback?: JSX.Element; loading?: JSX.Element }): JSX.Element {
  const state = useSession();
  const part = createMemo(() => partFor(state(), props));
  return createMemo(() => props[part() === 'loading' && !('loading' in props) ? 'fallback' : part()]) as unknown as JSX.Element;
}

function mounted(mount: (host: HTMLElement, client: Client) => () => void): JSX.Element {
  const client = useClient();
  return inPage(() => {
    const host = document.createElement('span');
    // What a menu was made with makes another one when it changes.
    createEffect(() => onCleanup(mount(host, client)));
    return host;
  });
}

/** Whether a page takes over what a server rendered, with which it has to agree at first. */
const isTakenOver = (): boolean => Boolean(sharedConfig.context);

/** What a server does not render, and a page that takes over what it rendered only after that. */
function inPage(make: () => JSX.Element): JSX.Element {
  if (!hasPage) return null;
  if (!isTakenOver()) return make();
  const [isReady, setReady] = createSignal(false);
  onMount(() => setReady(true));
  return createMemo(() => (isReady() ? make() : null)) as unknown as JSX.Element;
}
