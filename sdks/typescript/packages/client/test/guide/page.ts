import { SvcError, createClient } from '@svc/client';

export const client = createClient({
  baseURL: 'http://localhost:8080', // the issuer
  oauth: { clientId: 'app_…', redirectUri: `${location.origin}/callback` },
});

if (client.isCallback()) {
  try {
    await client.handleCallback(); // and the address bar shows where sign-in began
  } catch (error) {
    console.log((error as SvcError).code); // access_denied, state_mismatch…
  }
}
client.subscribe(() => show(client.getSnapshot()));
show(await client.ready());

function show({ status, user }: ReturnType<typeof client.getSnapshot>) {
  document.querySelector('#person')!.textContent = status === 'signed-in' ? (user?.name ?? '') : 'not signed in';
}
document.querySelector<HTMLButtonElement>('#sign-in')!.onclick = () => client.login({ returnTo: '/notes' });
document.querySelector<HTMLButtonElement>('#sign-out')!.onclick = () => client.logout({ returnTo: '/' });
