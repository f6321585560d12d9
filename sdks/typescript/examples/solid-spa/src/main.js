import { Protect, SignInButton, SvcProvider, UserButton, useSession } from '@svc/solid';
import { createComponent } from 'solid-js';
import h from 'solid-js/h';
import { render } from 'solid-js/web';
import { client } from './auth.js';

if (client.isCallback()) await client.handleCallback().catch(({ code }) => console.info(code));

function Person() {
  const session = useSession();
  return h('p', { id: 'person' }, () => session().user?.name);
}

render(() => createComponent(SvcProvider, {
  client,
  get children() {
    return [
      h('h1', 'Notes'),
      createComponent(SignInButton, { options: { returnTo: '/' } }),
      createComponent(UserButton, { returnTo: '/' }),
      createComponent(Protect, {
        get children() {
          return createComponent(Person, {});
        },
        get fallback() {
          return h('p', 'Sign in to see your notes.');
        },
      }),
    ];
  },
}), document.getElementById('root'));
