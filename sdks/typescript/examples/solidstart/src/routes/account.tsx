import { createAsync, query } from '@solidjs/router';
import { notes, person } from '~/person';

const who = query(person, 'person');
const theirs = query(notes, 'notes');

export default function Account() {
  const sub = createAsync(() => who(), { deferStream: true });
  const list = createAsync(() => theirs(), { deferStream: true });
  return (
    <form action="/auth/logout" method="post">
      <h1 id="person">{sub()}</h1>
      <p id="notes">{list()?.join(', ')}</p>
      <button id="sign-out">Sign out</button>
    </form>
  );
}
