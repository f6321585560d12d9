import { Suspense } from 'react';
import { auth } from '@/auth';

export default function Page() {
  return (
    <Suspense>
      <Person />
    </Suspense>
  );
}

async function Person() {
  const session = await auth();
  if (!session) return <a id="sign-in" href="/auth/login?returnTo=/account">Sign in</a>;
  return (
    <form action="/auth/logout" method="post">
      <p id="person">{session.sub}</p>
      <button id="sign-out">Sign out</button>
    </form>
  );
}
