// SvelteKit: the hook, the type of `locals`, and the setting that lets the service's notices of sign-outs in.
import { type Plan, type Project, module, replaced } from './project.js';

const HOOK = `import { env } from '$env/dynamic/private';
import { createAuthHandlers } from '@svc/sveltekit';

export const { handle } = createAuthHandlers(
  () => ({
    issuer: env.SVC_ISSUER!,
    clientId: env.SVC_CLIENT_ID!,
    clientSecret: env.SVC_CLIENT_SECRET,
    redirectUri: env.SVC_REDIRECT_URI!,
    postLogoutRedirectUri: new URL('/', env.SVC_REDIRECT_URI).href,
    cookieSecrets: env.SVC_COOKIE_SECRET!.split(' '), // the current one, then former ones
  }),
  // The folders in it are for people who are signed in.
  { protect: [] },
);
`;

const LOCALS = "interface Locals {\n\t\t\tauth: import('@svc/sveltekit').LocalAuth;\n\t\t}";
const TYPES = `declare global {\n\tnamespace App {\n\t\t${LOCALS}\n\t}\n}\n\nexport {};\n`;
const CSRF = "// The hook of @svc/sveltekit checks where forms come from.\n\t\tcsrf: { trustedOrigins: ['*'] }";

export async function sveltekit(project: Project): Promise<Plan> {
  const hook = `src/hooks.server.${project.isTyped ? 'ts' : 'js'}`;
  const plan: Plan = { files: {}, changed: {}, left: ['link to the sign-in: <a href="/auth/login?returnTo=/">; `locals.auth.session` has the session'] };
  if (await project.read(hook)) plan.left.push(`${hook}: put the handle of createAuthHandlers (docs/packages/sveltekit.md) before yours with sequence()`);
  else plan.files[hook] = module(HOOK, project);
  await types(project, plan);
  await settings(project, plan);
  return plan;
}

async function types(project: Project, plan: Plan): Promise<void> {
  const path = 'src/app.d.ts';
  const text = await project.read(path);
  if (text === undefined) {
    if (project.isTyped) plan.files[path] = TYPES;
    return;
  }
  const changed = replaced(text, /\/\/ interface Locals \{\}/, LOCALS);
  if (changed !== undefined) plan.changed[path] = changed;
  else if (!text.includes('LocalAuth')) plan.left.push(`${path}: Locals needs \`auth: import('@svc/sveltekit').LocalAuth\``);
}

/** SvelteKit refuses forms without an origin, and with them the service's notices. */
async function settings(project: Project, plan: Plan): Promise<void> {
  const path = 'svelte.config.js';
  const text = await project.read(path);
  if (text?.includes('trustedOrigins')) return;
  const changed = text?.includes('csrf') ? undefined : replaced(text, /\bkit:\s*\{[ \t]*/, `kit: {\n\t\t${CSRF},`);
  if (changed !== undefined) plan.changed[path] = changed;
  else plan.left.push("the configuration of SvelteKit: `kit.csrf.trustedOrigins: ['*']` lets notices of sign-outs in; the hook makes the check instead");
}
