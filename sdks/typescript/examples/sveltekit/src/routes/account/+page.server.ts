import { env } from '$env/dynamic/private';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, fetch }) => {
  const authorization = `Bearer ${await locals.auth.getAccessToken()}`;
  const reply = await fetch(new URL('/api/notes', env.SVC_REDIRECT_URI), { headers: { authorization } });
  const { notes } = await reply.json();
  return { sub: locals.auth.session!.sub, notes: notes as string[] };
};

export const actions: Actions = { default: ({ locals }) => locals.auth.signOut() };
