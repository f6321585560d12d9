// Next.js: the handlers, their route, the proxy that renews tokens (the middleware before Next.js 16), and the way in on the first page.
import { type Plan, type Project, majorOf, module, withinMain } from './project.js';

const AUTH = `import { createAuthHandlers } from '@svc/next';

export const { GET, POST, auth, getAccessToken, signIn, signOut, createProxy, pages } = createAuthHandlers(() => ({
  issuer: process.env.SVC_ISSUER!,
  clientId: process.env.SVC_CLIENT_ID!,
  clientSecret: process.env.SVC_CLIENT_SECRET,
  redirectUri: process.env.SVC_REDIRECT_URI!,
  postLogoutRedirectUri: '/',
  scopes: ['openid', 'profile', 'email', 'offline_access'], // the last one is for renewal
  cookieSecrets: process.env.SVC_COOKIE_SECRET?.split(' ') ?? [], // the current one, then former ones
}));
`;

/** A page may be prerendered, and no session is known then: what asks for it stands in `<Suspense>`. */
const SIGN_IN = `import { Suspense } from 'react';
import { auth } from '../auth';

export function SignIn() {
  return (
    <Suspense>
      <Button />
    </Suspense>
  );
}

async function Button() {
  const session = await auth();
  // eslint-disable-next-line @next/next/no-html-link-for-pages -- it leads to the service, which <Link> cannot
  if (!session) return <a href="/auth/login?returnTo=/">Sign in</a>;
  return (
    <form action="/auth/logout" method="post">
      <button>Sign out</button>
    </form>
  );
}
`;

export async function next(project: Project): Promise<Plan> {
  const within = (await project.has('src/app')) || (await project.has('src/pages')) ? 'src/' : '';
  const ending = project.isTyped ? 'ts' : 'js';
  const files: Record<string, string> = {
    [`${within}auth.${ending}`]: module(AUTH, project),
    // The App Router takes routes next to pages of the other router.
    [`${within}app/auth/[...svc]/route.${ending}`]: `export { GET, POST } from '../../../auth';\n`,
  };
  const version = await versionOf(project);
  const isNew = majorOf(version) >= 16 || !/\d/.test(version);
  const plan: Plan = { files, changed: {}, left: [] };
  const taken = await ownProxy(project, within);
  if (taken) plan.left.push(`${taken}: call createProxy() of auth in it, and answer with what that gives (docs/packages/next.md)`);
  else files[`${within}${isNew ? 'proxy' : 'middleware'}.${ending}`] = proxy(isNew, mayRunInNode(version));
  await page(project, plan, within);
  return plan;
}

/** The version that is installed, or else the range of the manifest. */
async function versionOf(project: Project): Promise<string> {
  const installed = await project.read('node_modules/next/package.json');
  return /"version":\s*"([^"]+)"/.exec(installed ?? '')?.[1] ?? project.dependencies['next'] ?? '';
}

/** Whether a middleware may run in Node.js: before 15.5, Next.js answers every request with an empty page where one is to. */
function mayRunInNode(version: string): boolean {
  const [, major, minor] = /(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return Number(major) === 15 && Number(minor ?? 0) >= 5;
}

/** A proxy or middleware of the project that does not call ours: Next.js takes one of both, and only one. */
async function ownProxy(project: Project, within: string): Promise<string | undefined> {
  for (const name of ['proxy', 'middleware']) {
    for (const ending of ['ts', 'js', 'mjs']) {
      const path = `${within}${name}.${ending}`;
      const text = await project.read(path);
      if (text !== undefined && !text.includes('createProxy')) return path;
    }
  }
  return undefined;
}

/** The first page of the App Router shows a link to the sign-in, or the way out. */
async function page(project: Project, plan: Plan, within: string): Promise<void> {
  for (const ending of ['tsx', 'jsx', 'js']) {
    const path = `${within}app/page.${ending}`;
    const text = await project.read(path);
    if (text?.includes('sign-in')) return;
    const changed = text && withinMain(text, 'SignIn', "import { SignIn } from './sign-in';");
    if (!changed) continue;
    plan.files[`${within}app/sign-in.${project.isTyped ? 'tsx' : 'jsx'}`] = SIGN_IN;
    plan.changed[path] = changed;
    return;
  }
  const asked = (await project.has(`${within}app`)) ? 'auth()' : 'pages.auth(context)';
  plan.left.push(`link to the sign-in: <a href="/auth/login?returnTo=/">; ask \`await ${asked}\` for the session`);
}

function proxy(isNew: boolean, isInNode: boolean): string {
  return `import { createProxy } from './auth';

// It renews access tokens; the folders in \`protect\` are for people who are signed in.
export const ${isNew ? 'proxy' : 'middleware'} = createProxy({ protect: [] });

export const config = { ${isInNode ? "runtime: 'nodejs', " : ''}matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
`;
}
