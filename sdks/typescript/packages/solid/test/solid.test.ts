import { type JSX, createComponent, createSignal } from 'solid-js';
import { hydrate, render } from 'solid-js/web';
import { expect, test, vi } from 'vitest';
import { $, ADA, ORGANIZATIONS, SIGNED_OUT, clientWith, settled } from '../../../test/client.js';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton } from '../src/index.js';

type Client = ReturnType<typeof clientWith>['client'];
const within = (client: Client, children: () => JSX.Element) => createComponent(SvcProvider, {
  client,
  get children() {
    return children();
  },
});
const page = (): JSX.Element => [
  createComponent(SignInButton, {}), createComponent(SignInButton, { options: { maxAge: 300 }, label: 'Confirm' }),
  createComponent(UserButton, { returnTo: '/' }), createComponent(OrganizationSwitcher, {}),
  createComponent(Protect, { scopes: ['notes:read'], children: 'secret', fallback: 'nothing', loading: 'wait' }),
];

components((client, host) => render(() => within(client, page), host));

test('a menu has what it is given later, and a button the text', async () => {
  const { client, calls, listeners, become } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  const [organizations, setOrganizations] = createSignal<typeof ORGANIZATIONS>([]);
  const [label, setLabel] = createSignal('Sign in');
  const remove = render(() => within(client, () => [
    createComponent(OrganizationSwitcher, {
      get organizations() {
        return organizations();
      },
    }),
    createComponent(SignInButton, {
      get label() {
        return label();
      },
    }),
  ]), host);
  await settled();
  setOrganizations(ORGANIZATIONS);
  setLabel('Log in');
  await settled();
  $('[aria-label="Organization: Initech"]')?.click();
  await settled();
  expect(document.querySelectorAll('[role=menuitemradio]')).toHaveLength(2);
  expect(calls.organizations).not.toHaveBeenCalled();
  become(SIGNED_OUT);
  expect(host.textContent).toBe('Log in');
  remove();
  expect(listeners.size).toBe(0);
  host.remove();
});

test('a page that a server rendered is taken over as it is, and shows the session then', async () => {
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('_$HY', { events: [], completed: new WeakSet(), r: {}, fe() {} });
  const host = document.body.appendChild(document.createElement('main'));
  // A server renders no buttons, and what is shown while no session is known.
  host.textContent = 'wait';
  const first: string[] = [];
  const remove = hydrate(() => {
    const made = within(clientWith(ADA).client, () => [
      createComponent(SignInButton, {}), createComponent(UserButton, {}), createComponent(OrganizationSwitcher, {}),
      createComponent(Protect, { children: 'secret', fallback: 'nothing', loading: 'wait' }),
    ]);
    first.push(host.textContent ?? '');
    return made;
  }, host);
  await settled();
  expect(first).toEqual(['wait']);
  expect(document.querySelectorAll('[aria-haspopup=menu]')).toHaveLength(2);
  expect(host.textContent).toMatch(/secret$/);
  expect(host.textContent).not.toMatch(/wait|nothing|Sign in/);
  expect(failed.mock.calls).toEqual([]);
  remove();
  host.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
