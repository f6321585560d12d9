import { type ButtonHTMLAttributes, StrictMode, act, createElement as h } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { ADA, SIGNED_OUT, clientWith, settled } from '../../../test/client.js';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton, useSession } from '../src/index.js';

function Page() {
  return h('div', null, h(SignInButton), h(SignInButton, { options: { maxAge: 300 } }, 'Confirm'), h(UserButton, { returnTo: '/' }), h(OrganizationSwitcher),
    h(Protect, { scopes: ['notes:read'], fallback: 'nothing', loading: 'wait' }, 'secret'));
}

components(async (client, host) => {
  const root = createRoot(host);
  root.render(h(StrictMode, null, h(SvcProvider, { client }, h(Page))));
  return () => root.unmount();
});

test('a menu calls the functions of the last rendering, and is not made again for them', async () => {
  const { client } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  const root = createRoot(host);
  const heard: string[] = [];
  const show = async (text: string) => {
    root.render(h(SvcProvider, { client }, h(OrganizationSwitcher, { onSwitch: ({ slug }) => void heard.push(`${text} ${slug}`) })));
    await settled();
    return host.querySelector('button');
  };
  const button = await show('first');
  expect(await show('second')).toBe(button);
  button?.click();
  await settled();
  host.querySelectorAll<HTMLElement>('[role=menuitemradio]')[1]?.click();
  await settled();
  expect(heard).toEqual(['second hooli']);
  root.unmount();
  host.remove();
});

test('a menu calls a function that it was not made with', async () => {
  const { client } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  const root = createRoot(host);
  const heard: string[] = [];
  const show = async (options: Parameters<typeof OrganizationSwitcher>[0]) => {
    root.render(h(SvcProvider, { client }, h(OrganizationSwitcher, options)));
    await settled();
  };
  await show({});
  await show({ onSwitch: ({ slug }) => void heard.push(slug) });
  host.querySelector('button')?.click();
  await settled();
  host.querySelectorAll<HTMLElement>('[role=menuitemradio]')[1]?.click();
  await settled();
  expect(heard).toEqual(['hooli']);
  root.unmount();
  host.remove();
});

test('what is protected by a strength has a button for the step-up, until it is reached', async () => {
  const { client, calls, become } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  const root = createRoot(host);
  const options = { acrValues: ['urn:svc:aal2'] };
  root.render(h(SvcProvider, { client }, h(Protect, { acr: 'urn:svc:aal2', fallback: h(SignInButton, { options }, 'Confirm') }, 'secret')));
  await settled();
  expect(host.textContent).toBe('Confirm');
  host.querySelector('button')?.click();
  expect(calls.login).toHaveBeenCalledWith(options);
  become({ ...ADA, acr: 'urn:svc:aal3' });
  await settled();
  expect(host.textContent).toBe('secret');
  root.unmount();
  host.remove();
});

test('the button to sign in calls the function of the page first, which may keep it from signing in', async () => {
  const { client, calls } = clientWith(SIGNED_OUT);
  const host = document.body.appendChild(document.createElement('main'));
  const root = createRoot(host);
  const clicked = vi.fn();
  const click = async (onClick: ButtonHTMLAttributes<HTMLButtonElement>['onClick']) => {
    root.render(h(SvcProvider, { client }, h(SignInButton, { onClick })));
    await settled();
    host.querySelector('button')?.click();
  };
  await click(clicked);
  expect([clicked.mock.calls.length, calls.login.mock.calls.length]).toEqual([1, 1]);
  await click((event) => event.preventDefault());
  expect(calls.login).toHaveBeenCalledTimes(1);
  root.unmount();
  host.remove();
});

test('a page that a server rendered is taken over as it is, and shows the session then', async () => {
  const { client } = clientWith(ADA);
  const host = document.body.appendChild(document.createElement('main'));
  host.innerHTML = renderToString(h(SvcProvider, { client }, h(Page)));
  expect(host.textContent).toBe('wait');
  const onRecoverableError = vi.fn();
  const root = hydrateRoot(host, h(SvcProvider, { client }, h(Page)), { onRecoverableError });
  await settled();
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(host.textContent).toContain('secret');
  expect(host.textContent).not.toContain('Sign in');
  root.unmount();
  host.remove();
});

test('a server renders no session', () => {
  const Status = () => useSession().status;
  expect(renderToString(h(SvcProvider, { client: clientWith(ADA).client }, h(Status)))).toBe('loading');
  expect(() => renderToString(h(Status))).toThrow('SvcProvider');
  void act;
});
