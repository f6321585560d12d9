// SvelteKit: the hook, the type of `locals`, the setting that lets the service's notices of sign-outs in, and the way in on the first page.
import { type Plan, type Project, firstOf, majorOf, module, replaced } from './project.js';

const HOOK = `import { building } from '$app/environment';
import { env } from '$env/dynamic/private';
import { createAuthHandlers } from '@svc/sveltekit';

export const { handle } = createAuthHandlers(
	() => ({
		issuer: env.SVC_ISSUER!,
		clientId: env.SVC_CLIENT_ID!,
		clientSecret: env.SVC_CLIENT_SECRET,
		redirectUri: env.SVC_REDIRECT_URI!,
		postLogoutRedirectUri: '/',
		scopes: ['openid', 'profile', 'email', 'offline_access'], // the last one is for renewal
		cookieSecrets: env.SVC_COOKIE_SECRET?.split(' ') ?? [] // the current one, then former ones
	}),
	// The folders in it are for people who are signed in.
	{ protect: [], building }
);
`;

/** SvelteKit 3 has the settings that are declared, which a build must not miss: it has none of a deployment. */
const env = ({ isTyped }: Project) => `import { defineEnvVars } from '@sveltejs/kit/env';

const setting = { schema: (value${isTyped ? '?: string' : ''}) => value ?? '' };

export const variables = defineEnvVars({
${['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI', 'COOKIE_SECRET'].map((name) => `\tSVC_${name}: setting`).join(',\n')}
});
`;

const LOCALS = "interface Locals {\n\t\t\tauth: import('@svc/sveltekit').LocalAuth;\n\t\t}";
const TYPES = `declare global {\n\tnamespace App {\n\t\t${LOCALS}\n\t}\n}\n\nexport {};\n`;
/** Below the first of two groups, which is the space before the second. */
const CSRF = "$1$2\n$1\t// The hook of @svc/sveltekit checks where forms come from.\n$1\tcsrf: { trustedOrigins: ['*'] },";

const TRUST = "the configuration of SvelteKit: `kit.csrf.trustedOrigins: ['*']` lets notices of sign-outs in; the hook makes the check instead";

const SIGN_IN = `<script>
	import { page } from '$app/state';
</script>

{#if page.data.session}
	<form action="/auth/logout" method="post"><button>Sign out</button></form>
{:else}
	<a rel="external" href="/auth/login?returnTo=/">Sign in</a>
{/if}
`;

/** A session has no tokens, so that pages may know it. */
const load = (isTyped: boolean) => (isTyped
  ? "import type { LayoutServerLoad } from './$types';\n\nexport const load: LayoutServerLoad = ({ locals }) => ({ session: locals.auth.session });\n"
  : 'export const load = ({ locals }) => ({ session: locals.auth.session });\n');

export async function sveltekit(project: Project): Promise<Plan> {
  const hook = `src/hooks.server.${project.isTyped ? 'ts' : 'js'}`;
  const plan: Plan = { files: {}, changed: {}, left: [] };
  const own = await firstOf(project, ['ts', 'js'].flatMap((ending) => [`src/hooks.server.${ending}`, `src/hooks.server/index.${ending}`]));
  const isOurs = own === undefined || ((await project.read(own)) ?? '').includes('@svc/sveltekit');
  if (own === undefined) await written(project, plan, hook);
  else if (!isOurs) plan.left.push(`${own}: put the handle of createAuthHandlers (docs/packages/sveltekit.md) before yours with sequence()`);
  await types(project, plan);
  // INVARIANT: SvelteKit's check of forms is not switched off where nothing makes it instead.
  if (isOurs) await settings(project, plan);
  else plan.left.push(`${TRUST}, but not before that handle is in place`);
  await page(project, plan, isOurs);
  return plan;
}

async function written(project: Project, plan: Plan, hook: string): Promise<void> {
  const range = project.dependencies['@sveltejs/kit'] ?? '';
  const isOld = /\d/.test(range) && majorOf(range) < 3;
  const text = isOld ? HOOK : HOOK.replace('$app/environment', '$app/env').replace("{ env } from '$env/dynamic/private'", "* as env from '$app/env/private'");
  plan.files[hook] = module(text, project);
  if (isOld) return;
  const own = await firstOf(project, ['src/env.ts', 'src/env.js']);
  if (own === undefined) plan.files[`src/env.${project.isTyped ? 'ts' : 'js'}`] = env(project);
  else plan.left.push(`${own}: declare SVC_ISSUER, SVC_CLIENT_ID, SVC_CLIENT_SECRET, SVC_REDIRECT_URI and SVC_COOKIE_SECRET`);
}

/** Without the hook a page that asks for the session would fail. */
async function page(project: Project, plan: Plan, isOurs: boolean): Promise<void> {
  const path = 'src/routes/+page.svelte';
  const text = await project.read(path);
  if (text?.includes('SignIn')) return;
  const layouts = await Promise.all(['ts', 'js'].map((ending) => project.read(`src/routes/+layout.server.${ending}`)));
  if (!isOurs || text === undefined || layouts.some((layout) => layout !== undefined)) {
    plan.left.push('link to the sign-in: <a rel="external" href="/auth/login?returnTo=/">; `locals.auth.session` has the session');
    return;
  }
  plan.files[`src/routes/+layout.server.${project.isTyped ? 'ts' : 'js'}`] = load(project.isTyped);
  plan.files['src/lib/SignIn.svelte'] = SIGN_IN;
  // SvelteKit 3 has no `$lib`.
  const line = "import SignIn from '../lib/SignIn.svelte';";
  plan.changed[path] = replaced(text, /<script(?![^>]*\bmodule\b)[^>]*>\n/, `$&\t${line}\n`)?.replace(/<\/script>\n\n?/, '$&<SignIn />\n')
    ?? `<script>\n\t${line}\n</script>\n\n<SignIn />\n${text}`;
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

/** SvelteKit refuses forms without an origin, and with them the service's notices. Its configuration is in a file of its own, or in Vite's. */
async function settings(project: Project, plan: Plan): Promise<void> {
  const places: [string, RegExp][] = [
    ['svelte.config.js', /^([ \t]*)(.*\bkit:\s*\{)[ \t]*/m],
    ['vite.config.ts', /^([ \t]*)(.*\bsveltekit\(\{)[ \t]*/m],
    ['vite.config.js', /^([ \t]*)(.*\bsveltekit\(\{)[ \t]*/m],
  ];
  for (const [path, place] of places) {
    const text = await project.read(path);
    if (/trustedOrigins:[^\]]*['"`]\*['"`]/.test(text ?? '')) return;
    const changed = text?.includes('csrf') ? undefined : replaced(text, place, CSRF);
    if (changed === undefined) continue;
    plan.changed[path] = changed;
    return;
  }
  plan.left.push(TRUST);
}
