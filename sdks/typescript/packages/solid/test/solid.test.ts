import { createComponent } from 'solid-js';
import { render } from 'solid-js/web';
import { components } from '../../../test/components.js';
import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton } from '../src/index.js';

components((client, host) => render(() => createComponent(SvcProvider, {
  client,
  get children() {
    return [
      createComponent(SignInButton, {}), createComponent(UserButton, { returnTo: '/' }), createComponent(OrganizationSwitcher, {}),
      createComponent(Protect, { scopes: ['notes:read'], children: 'secret', fallback: 'nothing' }),
    ];
  },
}), host));
