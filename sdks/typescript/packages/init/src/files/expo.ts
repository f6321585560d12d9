// Expo: the client with Expo's modules, a button, its place in the first page of the templates, the way back, and the scheme.
import { posix } from 'node:path';
import { type Plan, type Project, type Settings, replaced } from './project.js';

const { dirname, join, relative } = posix;

const BUTTON = `import { useSyncExternalStore } from 'react';
import { Button } from 'react-native';
import { client } from './auth';

export function SignIn() {
  const { status, user } = useSyncExternalStore(client.subscribe, client.getSnapshot, client.getSnapshot);
  const isSignedIn = status === 'signed-in';
  const act = () => (isSignedIn ? client.logout() : client.login()).catch((error) => console.warn(error.code));
  return <Button title={isSignedIn ? \`Sign out \${user?.name ?? ''}\` : 'Sign in'} onPress={act} />;
}
`;

const CALLBACK = `import { Redirect } from 'expo-router';

/** Android opens the address that ends a sign-in as a page, too. */
export default function Callback() {
  return <Redirect href="/" />;
}
`;

/** Where `<SignIn />` goes in a page: the first of them that it has. */
const PLACES: readonly [RegExp, string][] = [
  [/^([ \t]*)<SafeAreaView\b[^>]*>\n/m, '$&$1  <SignIn />\n'],
  [/return \(\n([ \t]*)<View\b[^>]*>\n/, '$&$1  <SignIn />\n'],
  // What begins over several lines gets it at its end.
  [/(export default function [^]*?\n {2}return \(\n)([ \t]*)<(\w+)\b([^]*?)\n\2<\/\3>\n/, '$1$2<$3$4\n$2  <SignIn />\n$2</$3>\n'],
];

export async function expo(project: Project, { redirectUri }: Settings): Promise<Plan> {
  const routes = await routesOf(project);
  const place = routes === 'src/app' ? 'src' : '';
  const [script, component] = project.isTyped ? ['ts', 'tsx'] : ['js', 'js'];
  const plan: Plan = {
    files: { [join(place, `auth.${script}`)]: clientOf(project), [join(place, `SignIn.${component}`)]: BUTTON },
    changed: {},
    left: ['npx expo install expo-web-browser expo-secure-store expo-crypto'],
  };
  if (routes) plan.files[join(routes, `callback.${component}`)] = CALLBACK;
  await page(project, plan, routes, join(place, 'SignIn'));
  await scheme(project, plan, redirectUri);
  if ('react-native-web' in project.dependencies) {
    plan.left.push('on the web it is an application of its own, of type spa, by auth.web (docs/packages/expo.md)');
  }
  return plan;
}

/** The folder of the pages of Expo Router. */
async function routesOf(project: Project): Promise<string | undefined> {
  if (!('expo-router' in project.dependencies)) return undefined;
  for (const folder of ['src/app', 'app']) if (await project.has(folder)) return folder;
  return undefined;
}

function clientOf({ isTyped }: Project): string {
  const assured = isTyped ? '!' : '';
  return `import { createExpoClient } from '@svc/expo';
import * as Crypto from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';

export const client = createExpoClient({
  WebBrowser,
  SecureStore,
  Crypto,
  baseURL: process.env.EXPO_PUBLIC_SVC_ISSUER${assured},
  oauth: { clientId: process.env.EXPO_PUBLIC_SVC_CLIENT_ID${assured}, redirectUri: process.env.EXPO_PUBLIC_SVC_REDIRECT_URI${assured} },
});
`;
}

/** The first page shows the button: the root component, or with Expo Router that of `/`. */
async function page(project: Project, plan: Plan, routes: string | undefined, component: string): Promise<void> {
  const ending = project.isTyped ? 'tsx' : 'js';
  const pages = routes ? [`${routes}/(tabs)/index.${ending}`, `${routes}/index.${ending}`] : [`App.${ending}`];
  for (const path of pages) {
    const text = await project.read(path);
    if (text?.includes('SignIn')) return;
    const [where, by] = PLACES.find(([where]) => text !== undefined && where.test(text)) ?? [];
    const changed = where && by && replaced(text, where, by);
    if (!changed) continue;
    const from = relative(dirname(path), component);
    plan.changed[path] = `import { SignIn } from '${from.startsWith('.') ? from : `./${from}`}';\n${changed}`;
    return;
  }
  plan.left.push('put <SignIn /> where it is to be');
}

/** The system gives addresses of this scheme to the application. */
async function scheme(project: Project, plan: Plan, redirectUri: string): Promise<void> {
  const name = redirectUri.slice(0, redirectUri.indexOf(':'));
  if (name === 'https') {
    plan.left.push(`the application answers to ${redirectUri} as a universal link (docs/packages/expo.md)`);
    return;
  }
  plan.left.push('start it by npx expo run:android or npx expo run:ios: Expo Go does not have the scheme');
  const text = await project.read('app.json');
  if (text && new RegExp(`"scheme":[^}:]*"${name.replaceAll('.', '\\.')}"`).test(text)) return;
  // With a scheme of the template's, which has no domain and is no redirect URI (RFC 8252 §7.1), it has two.
  const changed = text?.includes('"scheme"')
    ? replaced(text, /"scheme": ("[^"]*")/, `"scheme": [$1, "${name}"]`)
    : replaced(text, /^([ \t]*)"slug": "[^"]*",\n/m, `$&$1"scheme": "${name}",\n`);
  if (changed) plan.changed['app.json'] = changed;
  else plan.left.push(`\`scheme\` in app.json has "${name}"`);
}
