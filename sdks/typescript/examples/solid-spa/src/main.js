import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton, useSession } from '@svc/solid';
import { createComponent, createSignal } from 'solid-js';
import hyperscript from 'solid-js/h';
import { render } from 'solid-js/web';
import { client, organizations } from './auth.js';

/** An element that is made at once, so that what changes in it belongs to its component. */
const h = (...values) => hyperscript(...values)();
const [said, say] = createSignal('');
const failed = ({ code }) => void say(code);
if (client.isCallback()) await client.handleCallback().catch(failed);

const actions = {
  renew: () => client.getAccessToken({ force: true }).then(() => void say('renewed'), failed),
  'step-up': () => client.login({ acrValues: ['urn:svc:aal2'], returnTo: '/' }).catch(failed),
};

function Status() {
  const session = useSession();
  return [h('p', { id: 'status' }, () => session().status), h('p', { id: 'said', role: 'status' }, said)];
}

function Person() {
  const session = useSession();
  return [
    h('p', { id: 'person' }, () => session().user?.name),
    h('p', { id: 'acr' }, () => session().acr),
    h('p', { id: 'organization' }, () => session().organization?.slug),
    createComponent(OrganizationSwitcher, { organizations, onError: failed }),
    ...Object.entries(actions).map(([id, onClick]) => h('button', { id, type: 'button', onClick }, id)),
  ];
}

render(() => createComponent(SvcProvider, {
  client,
  get children() {
    return [
      h('h1', 'Notes'),
      createComponent(Status, {}),
      createComponent(SignInButton, { options: { returnTo: '/' }, onError: failed }),
      createComponent(UserButton, { returnTo: '/', onError: failed }),
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
