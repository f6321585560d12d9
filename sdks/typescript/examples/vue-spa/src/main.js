import { OrganizationSwitcher, Protect, SignInButton, UserButton, createSvc, useSession } from '@svc/vue';
import { createApp, h, ref } from 'vue';
import { client, organizations } from './auth.js';

const said = ref('');
const failed = ({ code }) => void (said.value = code);
if (client.isCallback()) await client.handleCallback().catch(failed);

const actions = {
  renew: () => client.getAccessToken({ force: true }).then(() => void (said.value = 'renewed'), failed),
  'step-up': () => client.login({ acrValues: ['urn:svc:aal2'], returnTo: '/' }).catch(failed),
};

const Page = {
  setup() {
    const session = useSession();
    return () => [
      h('h1', 'Notes'),
      h('p', { id: 'status' }, session.value.status),
      h('p', { id: 'said', role: 'status' }, said.value),
      h(SignInButton, { options: { returnTo: '/' }, onError: failed }),
      h(UserButton, { returnTo: '/', onError: failed }),
      h(Protect, null, {
        default: () => [
          h('p', { id: 'person' }, session.value.user.name),
          h('p', { id: 'acr' }, session.value.acr),
          h('p', { id: 'organization' }, session.value.organization?.slug),
          h(OrganizationSwitcher, { organizations, onError: failed }),
          ...Object.entries(actions).map(([id, onClick]) => h('button', { id, type: 'button', onClick }, id)),
        ],
        fallback: () => h('p', 'Sign in to see your notes.'),
      }),
    ];
  },
};
createApp(Page).use(createSvc(client)).mount('#root');
