'use server';
import { auth, getAccessToken } from './auth';

/** Who is signed in. */
export async function person() {
  return (await auth())?.sub ?? null;
}

/** What the API has for who is signed in. */
export async function notes(): Promise<string[]> {
  const authorization = `Bearer ${await getAccessToken()}`;
  const reply = await fetch(new URL('/api/notes', process.env.SVC_REDIRECT_URI), { headers: { authorization } });
  return (await reply.json()).notes;
}
