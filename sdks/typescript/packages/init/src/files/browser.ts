// Applications in the browser: the client, a component with buttons, and its place in the root component of the framework's template.
import { type Plan, type Project, firstOf, replaced } from './project.js';

/** A module that makes the client from settings of the bundler, and ends a sign-in. */
const CLIENT = `import { createClient } from '@svc/client';

export const client = createClient({
  baseURL: import.meta.env.VITE_SVC_ISSUER,
  oauth: { clientId: import.meta.env.VITE_SVC_CLIENT_ID, redirectUri: import.meta.env.VITE_SVC_REDIRECT_URI },
});

// Code and state leave the address bar; what went wrong has a code: access_denied, state_mismatch…
if (client.isCallback()) {
  const done = client.handleCallback().catch((error) => console.error(error.code));
  // A router has read the address before: it hears that it is another one now.
  done.then(() => dispatchEvent(new PopStateEvent('popstate')));
}
`;

const jsx = (name: string) => `import { SignInButton, SvcProvider, UserButton } from '@svc/${name}';
import { client } from './auth';

export function SignIn() {
  return (
    <SvcProvider client={client}>
      <SignInButton options={{ returnTo: '/' }} />
      <UserButton returnTo="/" />
    </SvcProvider>
  );
}
`;

const vueOf = ({ isTyped }: Project) => `<script setup${isTyped ? ' lang="ts"' : ''}>
import { SignInButton, UserButton } from '@svc/vue';
</script>

<template>
  <SignInButton :options="{ returnTo: '/' }" />
  <UserButton return-to="/" />
</template>
`;

const SVELTE = `<script>
  import { SignInButton, UserButton, setClient } from '@svc/svelte';
  import { client } from './auth';

  setClient(client);
</script>

<SignInButton options={{ returnTo: '/' }} />
<UserButton returnTo="/" />
`;

const BUTTON = `import { client } from './auth';

const button = document.createElement('button');
button.onclick = () => (isSignedIn() ? client.logout({ returnTo: '/' }) : client.login({ returnTo: '/' })).catch((error) => console.error(error.code));
client.subscribe(show);
client.ready().then(show);
document.body.prepend(button);

function isSignedIn() {
  return client.getSnapshot().status === 'signed-in';
}

function show() {
  button.textContent = isSignedIn() ? \`Sign out \${client.getSnapshot().user?.name ?? ''}\` : 'Sign in';
}
`;

const IMPORT = "import { SignIn } from './SignIn'\n";

export const react = (project: Project) => withComponent(project, 'SignIn.?sx', jsx('react'), 'App.?sx', rootOfJsx);
export const solid = (project: Project) => withComponent(project, 'SignIn.?sx', jsx('solid'), 'App.?sx', rootOfJsx);
export const svelte = (project: Project) => withComponent(project, 'SignIn.svelte', SVELTE, 'App.svelte', rootOfSvelte);

export async function vue(project: Project): Promise<Plan> {
  const plan = await withComponent(project, 'SignIn.vue', vueOf(project), 'App.vue', rootOfVue);
  const main = `src/main.${project.isTyped ? 'ts' : 'js'}`;
  const text = await project.read(main);
  const used = replaced(text, /createApp\((\w+)\)(?!\.use\(createSvc)/, 'createApp($1).use(createSvc(client))');
  if (used !== undefined && !used.includes('@svc/vue')) plan.changed[main] = `import { createSvc } from '@svc/vue'\nimport { client } from './auth'\n${used}`;
  else if (!text?.includes('createSvc')) plan.left.push(`${main}: app.use(createSvc(client))`);
  return plan;
}

/** Without a framework there is a button by the client alone. */
export async function plain(project: Project): Promise<Plan> {
  const ending = project.isTyped ? 'ts' : 'js';
  // Preact and Qwik begin in one with elements.
  const main = await firstOf(project, [`src/main.${ending}`, `src/main.${ending}x`]);
  const text = main && (await project.read(main));
  const plan = withClient(project);
  if (main === undefined || text === undefined) return { ...plan, left: ['call client.login() from a button'] };
  plan.files[`src/sign-in.${ending}`] = BUTTON;
  if (!text.includes('./sign-in')) plan.changed[main] = `import './sign-in'\n${text}`;
  return plan;
}

function withClient({ dependencies, isTyped }: Project): Plan {
  const file = `src/auth.${isTyped ? 'ts' : 'js'}`;
  // Elsewhere `import.meta.env` is nothing, and the application fails at its start.
  const left = 'vite' in dependencies ? [] : [`${file} has its settings of import.meta.env, which Vite fills from .env.local: with another bundler write them there`];
  return { files: { [file]: CLIENT }, changed: {}, left };
}

async function withComponent(project: Project, component: string, text: string, root: string, put: (text: string) => string | undefined): Promise<Plan> {
  const named = (name: string) => `src/${name.replace('?', project.isTyped ? 't' : 'j')}`;
  const plan = withClient(project);
  plan.files[named(component)] = text;
  const before = await project.read(named(root));
  const after = before === undefined || before.includes('SignIn') ? before : put(before);
  if (after === undefined) plan.left.push(`put <SignIn /> of ${named(component)} where it is to be`);
  else if (after !== before) plan.changed[named(root)] = after;
  return plan;
}

function rootOfJsx(text: string): string | undefined {
  const after = replaced(text, /return \(\n(\s*)<>\n/, 'return (\n$1<>\n$1  <SignIn />\n');
  return after && `${IMPORT}${after}`;
}

function rootOfVue(text: string): string | undefined {
  const after = replaced(text, /<template>\n/, '<template>\n  <SignIn />\n');
  return after && replaced(after, /(<script setup[^>]*>)\n?/, "$1\nimport SignIn from './SignIn.vue'\n");
}

function rootOfSvelte(text: string): string | undefined {
  const after = replaced(text, /<\/script>\n\n?/, '$&<SignIn />\n');
  return after && replaced(after, /<script[^>]*>\n/, "$&  import SignIn from './SignIn.svelte'\n");
}
