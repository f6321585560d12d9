// Applications without a server of their own: Expo and Electron.
import type { Plan, Project, Settings } from './project.js';

export async function expo({ isTyped }: Project): Promise<Plan> {
  const text = `import { createExpoClient } from '@svc/expo';
import * as Crypto from 'expo-crypto';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';

export const client = createExpoClient({
  WebBrowser,
  SecureStore,
  Crypto,
  baseURL: process.env.EXPO_PUBLIC_SVC_ISSUER${isTyped ? '!' : ''},
  oauth: { clientId: process.env.EXPO_PUBLIC_SVC_CLIENT_ID${isTyped ? '!' : ''}, redirectUri: process.env.EXPO_PUBLIC_SVC_REDIRECT_URI${isTyped ? '!' : ''} },
});
`;
  return {
    files: { [`auth.${isTyped ? 'ts' : 'js'}`]: text },
    changed: {},
    left: ['npx expo install expo-web-browser expo-secure-store expo-crypto', '`scheme` in app.json is that of the redirect URI', 'call client.login() from a button'],
  };
}

/** An application that people install has no environment: its settings, which are no secrets, are in the file. */
export async function electron({ isTyped }: Project, { issuer, clientId }: Settings): Promise<Plan> {
  const ending = isTyped ? 'ts' : 'mjs';
  const text = `import { join } from 'node:path';
import { createElectronAuth } from '@svc/electron';
import electron from 'electron';

/** Call it when the application is ready; \`trusted\` are the origins of windows that may ask. */
export function createAuth(trusted${isTyped ? ': string[]' : ''} = ['file://']) {
  return createElectronAuth({
    electron,
    baseURL: ${JSON.stringify(issuer)},
    oauth: { clientId: ${JSON.stringify(clientId)} },
    file: join(electron.app.getPath('userData'), 'session'),
    trusted,
  });
}
`;
  return { files: { [`auth.${ending}`]: text }, changed: {}, left: ['call createAuth() in the main process when it is ready, and name the preload script (docs/packages/electron.md)'] };
}
