import { createAsync, query } from '@solidjs/router';
import { Show } from 'solid-js';
import { person } from '~/person';

const who = query(person, 'person');

export default function Home() {
  const sub = createAsync(() => who(), { deferStream: true });
  return (
    <Show when={sub()} fallback={<a id="sign-in" rel="external" href="/auth/login?returnTo=/account">Sign in</a>}>
      <form action="/auth/logout" method="post">
        <p id="person">{sub()}</p>
        <button id="sign-out">Sign out</button>
      </form>
    </Show>
  );
}
