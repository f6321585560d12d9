import { StrictMode, act, createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ADA, clientWith } from '../../../test/client.js';
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

test('a server renders no session', () => {
  const Status = () => useSession().status;
  expect(renderToString(h(SvcProvider, { client: clientWith(ADA).client }, h(Status)))).toBe('loading');
  expect(() => renderToString(h(Status))).toThrow('SvcProvider');
  void act;
});
