import { Suspense } from 'react';
import { auth, getAccessToken, signOut } from '@/auth';

export default function Page() {
  return (
    <Suspense>
      <Notes />
    </Suspense>
  );
}

async function Notes() {
  const session = await auth();
  const reply = await fetch(new URL('/api/notes', process.env.SVC_REDIRECT_URI), {
    headers: { authorization: `Bearer ${await getAccessToken()}` },
  });
  const { notes } = await reply.json();
  async function leave() {
    'use server';
    await signOut();
  }
  return (
    <form action={leave}>
      <h1 id="person">{session?.sub}</h1>
      <p id="notes">{notes.join(', ')}</p>
      <button id="sign-out">Sign out</button>
    </form>
  );
}
