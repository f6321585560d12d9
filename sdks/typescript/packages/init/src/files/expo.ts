// Expo: the client with Expo's modules, a button, its place in the root component of the blank template, and the scheme.
import { type Plan, type Project, type Settings, replaced } from './project.js';

const BUTTON = `import { useSyncExternalStore } from 'react';
import { Button } from 'react-native';
import { client } from './auth';

export function SignIn() {
  const { status, user } = useSyncExternalStore(client.subscribe, client.getSnapshot);
  const isSignedIn = status === 'signed-in';
  const act = () => (isSignedIn ? client.logout() : client.login()).catch((error) => console.warn(error.code));
  return <Button title={isSignedIn ? \`Sign out \${user?.name ?? ''}\` : 'Sign in'} onPress={act} />;
}
`;

export async function expo(project: Project, { redirectUri }: Settings): Promise<Plan> {
  const assured = project.isTyped ? '!' : '';
  const text = `import { createExpoClient } from '@svc/expo';
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
  const plan: Plan = {
    files: { [`auth.${project.isTyped ? 'ts' : 'js'}`]: text, [`SignIn.${project.isTyped ? 'tsx' : 'js'}`]: BUTTON },
    changed: {},
    left: ['npx expo install expo-web-browser expo-secure-store expo-crypto'],
  };
  await root(project, plan);
  await scheme(project, plan, redirectUri);
  return plan;
}

async function root(project: Project, plan: Plan): Promise<void> {
  const path = `App.${project.isTyped ? 'tsx' : 'js'}`;
  const text = await project.read(path);
  if (text?.includes('SignIn')) return;
  const changed = replaced(text, /return \(\n(\s*)<View\b[^>]*>\n/, '$&$1  <SignIn />\n');
  if (changed) plan.changed[path] = `import { SignIn } from './SignIn';\n${changed}`;
  else plan.left.push('put <SignIn /> where it is to be');
}

/** The system gives addresses of this scheme to the application. */
async function scheme(project: Project, plan: Plan, redirectUri: string): Promise<void> {
  const name = redirectUri.slice(0, redirectUri.indexOf(':'));
  if (name === 'https') {
    plan.left.push(`the application answers to ${redirectUri} as a universal link (docs/packages/expo.md)`);
    return;
  }
  const text = await project.read('app.json');
  if (text && new RegExp(`"scheme":[^,}]*"${name.replaceAll('.', '\\.')}"`).test(text)) return;
  const changed = text?.includes('"scheme"') ? undefined : replaced(text, /^([ \t]*)"slug": "[^"]*",\n/m, `$&$1"scheme": "${name}",\n`);
  if (changed) plan.changed['app.json'] = changed;
  else plan.left.push(`\`scheme\` in app.json has "${name}"`);
}
