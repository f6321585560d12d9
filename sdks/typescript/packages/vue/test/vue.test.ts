import { createApp, h } from 'vue';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, UserButton, createSvc } from '../src/index.js';

components((client, host) => {
  const app = createApp({
    render: () => [
      h(SignInButton), h(UserButton, { returnTo: '/' }), h(OrganizationSwitcher),
      h(Protect, { scopes: ['notes:read'] }, { default: () => 'secret', fallback: () => 'nothing' }),
    ],
  });
  app.use(createSvc(client)).mount(host);
  return () => app.unmount();
});
