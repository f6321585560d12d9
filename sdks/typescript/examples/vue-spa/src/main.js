import { Protect, SignInButton, UserButton, createSvc, useSession } from '@svc/vue';
import { createApp, h } from 'vue';
import { client } from './auth.js';

if (client.isCallback()) await client.handleCallback().catch(({ code }) => console.info(code));

const Page = {
  setup() {
    const session = useSession();
    return () => [
      h('h1', 'Notes'),
      h(SignInButton, { options: { returnTo: '/' } }),
      h(UserButton, { returnTo: '/' }),
      h(Protect, null, {
        default: () => h('p', { id: 'person' }, session.value.user.name),
        fallback: () => h('p', 'Sign in to see your notes.'),
      }),
    ];
  },
};
createApp(Page).use(createSvc(client)).mount('#root');
