import { expect, test, vi } from 'vitest';
import { createApp, createSSRApp, defineComponent, h, shallowRef } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { $, ADA, ORGANIZATIONS, SIGNED_OUT, clientWith, settled } from '../../../test/client.js';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, UserButton, createSvc, useSession } from '../src/index.js';

const Page = defineComponent(() => () => [
  h(SignInButton), h(SignInButton, { options: { maxAge: 300 } }, () => 'Confirm'), h(UserButton, { returnTo: '/' }), h(OrganizationSwitcher),
  h(Protect, { scopes: ['notes:read'] }, { default: () => 'secret', fallback: () => 'nothing', loading: () => 'wait' }),
]);

components((client, host) => {
  const app = createApp(Page);
  app.use(createSvc(client)).mount(host);
  return () => app.unmount();
});

test('a menu has what it is given later, and is not made again for the same', async () => {
  const { client, calls, listeners } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  const organizations = shallowRef<typeof ORGANIZATIONS>();
  const menu = shallowRef('Company');
  const app = createApp({ render: () => h(OrganizationSwitcher, { organizations: organizations.value, labels: { menu: menu.value } }) });
  app.use(createSvc(client)).mount(host);
  organizations.value = ORGANIZATIONS;
  await settled();
  const button = $('[aria-label="Company: Initech"]');
  button?.click();
  await settled();
  expect(document.querySelectorAll('[role=menuitemradio]')).toHaveLength(2);
  expect(calls.organizations).not.toHaveBeenCalled();
  organizations.value = [...ORGANIZATIONS];
  await settled();
  expect($('[aria-haspopup]')).toBe(button);
  expect(listeners.size).toBe(1);
  app.unmount();
  expect(listeners.size).toBe(0);
  host.remove();
});

test('a page that a server rendered is taken over as it is, and shows the session then', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const host = document.body.appendChild(document.createElement('main'));
  const html = await renderToString(createSSRApp(Page).use(createSvc(clientWith({ ...SIGNED_OUT, status: 'loading' }).client)));
  expect(html).toContain('wait');
  expect(html).not.toMatch(/secret|nothing|Sign in/);
  host.innerHTML = html;
  const part = host.querySelector('span');
  const seen: string[] = [];
  const Whole = defineComponent(() => {
    const session = useSession();
    seen.push(session.value.status);
    return () => h(Page);
  });
  const app = createSSRApp(Whole);
  app.use(createSvc(clientWith(ADA).client)).mount(host);
  expect(host.contains(part)).toBe(true);
  await settled();
  expect(seen).toEqual(['loading']);
  expect(host.textContent).toContain('secret');
  expect(host.textContent).not.toContain('Sign in');
  expect(document.querySelectorAll('[aria-haspopup=menu]')).toHaveLength(2);
  expect([...warned.mock.calls, ...failed.mock.calls]).toEqual([]);
  app.unmount();
  host.remove();
  vi.restoreAllMocks();
});
