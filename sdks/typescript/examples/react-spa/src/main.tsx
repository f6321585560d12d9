import type { SvcError } from '@svc/client';
import { OrganizationSwitcher, Protect, SignInButton, SvcProvider, UserButton, useClient, useSession } from '@svc/react';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { client, organizations } from './auth.js';

const NOTES = 'https://api.demo.example';

function Page() {
  const client = useClient();
  const session = useSession();
  const [said, say] = useState('');
  const failed = (error: unknown) => say((error as SvcError).code);

  useEffect(() => {
    if (location.pathname === '/callback') client.handleCallback().catch(failed);
  }, [client]);

  const renew = () => client.getAccessToken({ force: true }).then(() => say('renewed'), failed);
  const notes = () => client.getAccessToken({ resource: NOTES }).then(() => say('has notes'), (error: SvcError) =>
    error.code === 'login_required' ? client.login({ resource: NOTES, scopes: ['notes:read'] }).catch(failed) : failed(error));
  const stepUp = () => client.login({ acrValues: ['urn:svc:aal2'], returnTo: '/' }).catch(failed);

  return (
    <main>
      <h1>Notes</h1>
      <p id="status">{session.status}</p>
      <p id="said" role="status">{said || session.error?.code}</p>
      <SignInButton options={{ returnTo: '/' }} onError={failed} />
      <SignInButton className="popup" options={{ popup: true }} onError={failed}>Sign in by a window</SignInButton>
      <UserButton returnTo="/" onError={failed} />
      <Protect fallback={<p>Sign in to see your notes.</p>}>
        <p>Hello, <span id="person">{session.user?.name}</span>.</p>
        <p id="acr">{session.acr}</p>
        <p id="organization">{session.organization?.slug}</p>
        <OrganizationSwitcher organizations={organizations} onError={failed} />
        <button id="renew" type="button" onClick={renew}>Renew</button>
        <button id="notes" type="button" onClick={notes}>Open the notes</button>
        <button id="step-up" type="button" onClick={stepUp}>Confirm that it is you</button>
      </Protect>
    </main>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <SvcProvider client={client}><Page /></SvcProvider>
  </StrictMode>,
);
