// Next.js: the handlers, their route, and the proxy that renews tokens (the middleware before Next.js 16).
import { type Plan, type Project, majorOf, module } from './project.js';

const AUTH = `import { createAuthHandlers } from '@svc/next';

export const { GET, POST, auth, getAccessToken, signIn, signOut, createProxy, pages } = createAuthHandlers(() => ({
  issuer: process.env.SVC_ISSUER!,
  clientId: process.env.SVC_CLIENT_ID!,
  clientSecret: process.env.SVC_CLIENT_SECRET,
  redirectUri: process.env.SVC_REDIRECT_URI!,
  postLogoutRedirectUri: new URL('/', process.env.SVC_REDIRECT_URI).href,
  cookieSecrets: process.env.SVC_COOKIE_SECRET!.split(' '), // the current one, then former ones
}));
`;

export async function next(project: Project): Promise<Plan> {
  const within = (await project.has('src/app')) || (await project.has('src/pages')) ? 'src/' : '';
  const ending = project.isTyped ? 'ts' : 'js';
  const files: Record<string, string> = {
    [`${within}auth.${ending}`]: module(AUTH, project),
    // The App Router takes routes beside pages of the other router.
    [`${within}app/auth/[...svc]/route.${ending}`]: `export { GET, POST } from '../../../auth';\n`,
  };
  const isNew = majorOf(project.dependencies['next']) >= 16 || !/\d/.test(project.dependencies['next'] ?? '');
  files[`${within}${isNew ? 'proxy' : 'middleware'}.${ending}`] = proxy(isNew);
  return { files, changed: {}, left: ['link to the sign-in: <a href="/auth/login?returnTo=/">; ask `await auth()` for the session'] };
}

function proxy(isNew: boolean): string {
  return `import { createProxy } from './auth';

// It renews access tokens; the folders in \`protect\` are for people who are signed in.
export const ${isNew ? 'proxy' : 'middleware'} = createProxy({ protect: [] });

export const config = { ${isNew ? '' : "runtime: 'nodejs', "}matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
`;
}
