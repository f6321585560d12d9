// SolidStart: the handlers, their route, the middleware that renews tokens, and the way in on the first page.
import { type Plan, type Project, firstOf, module, replaced, withinMain } from './project.js';

const AUTH = `import { createAuthHandlers } from '@svc/solidstart';

export const { GET, POST, onRequest, auth, getAccessToken, signOut } = createAuthHandlers(() => ({
  issuer: process.env.SVC_ISSUER!,
  clientId: process.env.SVC_CLIENT_ID!,
  clientSecret: process.env.SVC_CLIENT_SECRET,
  redirectUri: process.env.SVC_REDIRECT_URI!,
  postLogoutRedirectUri: '/',
  scopes: ['openid', 'profile', 'email', 'offline_access'], // the last one is for renewal
  cookieSecrets: process.env.SVC_COOKIE_SECRET?.split(' ') ?? [], // the current one, then former ones
}));
`;

const ROUTE = `import * as auth from '../../auth';

// SolidStart finds routes by declarations such as these.
export const GET = auth.GET;
export const POST = auth.POST;
`;

const MIDDLEWARE = `import { createMiddleware } from '@solidjs/start/middleware';
import { onRequest } from './auth';

// It renews access tokens; the folders in \`protect\` are for people who are signed in.
export default createMiddleware({ onRequest: onRequest({ protect: [] }) });
`;

const PERSON = `'use server';
import { auth } from './auth';

/** Who is signed in. */
export async function person() {
  return (await auth())?.sub ?? null;
}
`;

const SIGN_IN = `import { Show, Suspense, createResource } from 'solid-js';
import { person } from './person';

export function SignIn() {
  const [who] = createResource(() => person(), { deferStream: true });
  return (
    <Suspense>
      <Show when={who()} fallback={<a rel="external" href="/auth/login?returnTo=/">Sign in</a>}>
        <form action="/auth/logout" method="post">
          <button>Sign out</button>
        </form>
      </Show>
    </Suspense>
  );
}
`;

export async function solidstart(project: Project): Promise<Plan> {
  const ending = project.isTyped ? 'ts' : 'js';
  const middleware = `src/middleware.${ending}`;
  const plan: Plan = {
    files: { [`src/auth.${ending}`]: module(AUTH, project), [`src/routes/auth/[...svc].${ending}`]: ROUTE },
    changed: {},
    left: ['start the server with the settings in its environment: node --env-file=.env.local …'],
  };
  const own = await firstOf(project, ['ts', 'js'].flatMap((one) => [`src/middleware.${one}`, `src/middleware/index.${one}`]));
  if (own) plan.left.push(`${own}: call onRequest of src/auth before yours`);
  else plan.files[middleware] = MIDDLEWARE;
  await settings(project, plan, own ?? middleware);
  await page(project, plan);
  return plan;
}

async function page(project: Project, plan: Plan): Promise<void> {
  for (const path of ['src/routes/index.tsx', 'src/routes/index.jsx']) {
    const text = await project.read(path);
    if (text?.includes('SignIn')) return;
    const changed = text && withinMain(text, 'SignIn', "import { SignIn } from '../SignIn';");
    if (!changed) continue;
    plan.files[`src/person.${project.isTyped ? 'ts' : 'js'}`] = PERSON;
    plan.files[`src/SignIn.${path.slice(-3)}`] = SIGN_IN;
    plan.changed[path] = changed;
    return;
  }
  plan.left.push('link to the sign-in: <a rel="external" href="/auth/login?returnTo=/">; ask `await auth()` on the server for the session');
}

/** The middleware is one that the configuration names. */
async function settings(project: Project, plan: Plan, middleware: string): Promise<void> {
  const names = ['app.config.ts', 'app.config.js', 'vite.config.ts', 'vite.config.js'];
  for (const path of names) {
    const text = await project.read(path);
    if (text === undefined) continue;
    const named = /\bmiddleware\s*:\s*['"`]([^'"`]*)/.exec(text)?.[1];
    if (named !== undefined && named.replace(/^\.\//, '') !== middleware && middleware in plan.files) {
      // One middleware runs: a file of ours would not.
      delete plan.files[middleware];
      plan.left.push(`${named}, which ${path} names: call onRequest of src/auth before yours`);
    }
    if (/\bmiddleware\s*:/.test(text)) return;
    const place = path.startsWith('app') ? /\bdefineConfig\(\s*(\{?)/ : /\bsolidStart\(\s*(\{?)/;
    const brace = place.exec(text)?.[1];
    const name = path.startsWith('app') ? 'defineConfig' : 'solidStart';
    const by = brace ? `${name}({ middleware: '${middleware}',` : `${name}({ middleware: '${middleware}' }`;
    const changed = replaced(text, place, by);
    if (changed === undefined) break;
    plan.changed[path] = changed.replace(`',}`, `' }`);
    return;
  }
  plan.left.push(`the configuration of SolidStart: middleware: '${middleware}'`);
}
