import { StrictMode, act, createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ADA, clientWith, settled } from '../../../test/client.js';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton, useSession } from '../src/index.js';

function Page() {
  return h('div', null, h(SignInButton), h(UserButton, { returnTo: '/' }), h(OrganizationSwitcher),
    h(Protect, { scopes: ['notes:read'], fallback: 'nothing' }, 'secret'));
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

test('a server renders no session', () => {
  const Status = () => useSession().status;
  expect(renderToString(h(SvcProvider, { client: clientWith(ADA).client }, h(Status)))).toBe('loading');
  expect(() => renderToString(h(Status))).toThrow('SvcProvider');
  void act;
});
