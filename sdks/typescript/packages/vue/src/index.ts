/** Sign-in with svc for Vue. */
import type { Client, LoginOptions, Organization, SessionState } from '@svc/client';
import { UNKNOWN, isToSignIn, mountOrganizationSwitcher, mountUserButton, partFor, styled } from '@svc/frontend-ui';
import {
  type App, type InjectionKey, type PropType, type ShallowRef, defineComponent, getCurrentInstance, h, inject, onBeforeUnmount, onMounted, onScopeDispose,
  ref, shallowRef, watch,
} from 'vue';

const KEY: InjectionKey<Client> = Symbol('svc');

/** `app.use(createSvc(client))` */
export function createSvc(client: Client): { install(app: App): void } {
  return { install: (app) => void app.provide(KEY, client) };
}

export function useClient(): Client {
  const client = inject(KEY, null);
  if (!client) throw new Error('svc: the application does not use createSvc(client)');
  return client;
}

export function useSession(): Readonly<ShallowRef<SessionState>> {
  const client = useClient();
  // A server subscribes to nothing.
  if (typeof document === 'undefined') return shallowRef(UNKNOWN);
  const show = (): void => void (state.value = client.getSnapshot());
  // A component that has an element before it is set up takes over what a server rendered, which has to be the same at first.
  const isTakenOver = Boolean(getCurrentInstance()?.vnode.el);
  const state = shallowRef(isTakenOver ? UNKNOWN : client.getSnapshot());
  if (isTakenOver) onMounted(show);
  onScopeDispose(client.subscribe(show));
  return state;
}

/** A button that signs in; absent while a person is signed in, unless `options` ask for more than the session has. */
export const SignInButton = defineComponent({
  name: 'SignInButton',
  props: { options: Object as PropType<LoginOptions> },
  emits: { error: (_: unknown) => true },
  setup(props, { slots, emit }) {
    const client = useClient();
    const state = useSession();
    const onClick = (): void => void client.login(props.options).catch((error: unknown) => emit('error', error));
    return () => !isToSignIn(state.value, props.options) ? null
      : h('button', { type: 'button', class: styled(), onClick }, slots.default?.() ?? 'Sign in');
  },
});

export const UserButton = defineComponent({
  name: 'UserButton',
  props: {
    accountUrl: String,
    returnTo: String,
    labels: Object as PropType<{ account?: string; signOut?: string; menu?: string }>,
  },
  emits: { error: (_: unknown) => true },
  setup: (props, { emit }) => mounted(props, (host, client) =>
    mountUserButton(host, client, { ...given(props), onError: (error) => emit('error', error) })),
});

export const OrganizationSwitcher = defineComponent({
  name: 'OrganizationSwitcher',
  props: {
    organizations: Array as PropType<readonly Organization[]>,
    labels: Object as PropType<{ menu?: string; none?: string }>,
  },
  emits: { error: (_: unknown) => true, switch: (_: Organization) => true },
  setup: (props, { emit }) => mounted(props, (host, client) => mountOrganizationSwitcher(host, client, {
    ...given(props), onSwitch: (one) => emit('switch', one), onError: (error) => emit('error', error),
  })),
});

/** Shows its slot to whom it is for, the slot `fallback` to everyone else; the slot `loading`, if there is one, while no session is known. */
export const Protect = defineComponent({
  name: 'Protect',
  props: { scopes: Array as PropType<readonly string[]>, roles: Array as PropType<readonly string[]>, acr: String },
  setup(props, { slots }) {
    const state = useSession();
    return () => {
      const part = partFor(state.value, given(props));
      return (part === 'children' ? slots.default : (slots[part] ?? slots.fallback))?.();
    };
  },
});

type Given<P> = { [K in keyof P]?: Exclude<P[K], undefined> };

/** Properties without those that were not given. */
function given<P extends object>(props: P): Given<P> {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as Given<P>;
}

function mounted(props: object, mount: (host: HTMLElement, client: Client) => () => void) {
  const client = useClient();
  const host = ref<HTMLElement>();
  let remove = (): void => {};
  const replace = (): void => {
    remove();
    remove = mount(host.value as HTMLElement, client);
  };
  // Objects may be new at every rendering of the parent: the menu is another one only where they say something else.
  onMounted(() => void watch(() => JSON.stringify(props), replace, { immediate: true }));
  onBeforeUnmount(() => remove());
  return () => h('span', { ref: host });
}
