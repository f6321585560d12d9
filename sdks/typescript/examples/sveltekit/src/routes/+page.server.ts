import type { PageServerLoad } from './$types';

export const load: PageServerLoad = ({ locals }) => ({ sub: locals.auth.session?.sub });
