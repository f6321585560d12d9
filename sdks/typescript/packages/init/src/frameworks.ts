// Which framework a project uses, and what it needs in order to sign people in.

export interface Framework {
  /** Its name for people. */
  name: string;
  /** The package whose presence gives it away. */
  sign: string;
  /** The package of ours. */
  needs: string;
  kind: 'browser' | 'server' | 'native';
  /** Before the names of settings that a browser may see. */
  prefix: string;
  callback: string;
  /** The origin while it is developed. */
  origin: string;
  files(isTyped: boolean): Record<string, string>;
}

/** A module that makes the client from settings of the bundler. */
function client(read: (name: string) => string): string {
  return `import { createClient } from '@svc/client';

export const client = createClient({
  baseURL: ${read('SVC_ISSUER')},
  oauth: { clientId: ${read('SVC_CLIENT_ID')}, redirectUri: ${read('SVC_REDIRECT_URI')} },
});
`;
}

const vite = (name: string): string => `import.meta.env.VITE_${name}`;
const browser = { kind: 'browser', prefix: 'VITE_', callback: '/callback', origin: 'http://localhost:5173' } as const;
const auth = (isTyped: boolean): Record<string, string> => ({ [`src/auth.${isTyped ? 'ts' : 'js'}`]: client(vite) });

/** In the order in which they are looked for: what is built on another framework comes before it. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: 'Next.js', sign: 'next', needs: '@svc/next', kind: 'server', prefix: '', callback: '/auth/callback', origin: 'http://localhost:3000',
    files: () => ({}),
  },
  {
    name: 'SvelteKit', sign: '@sveltejs/kit', needs: '@svc/sveltekit', kind: 'server', prefix: '', callback: '/auth/callback', origin: 'http://localhost:5173',
    files: () => ({}),
  },
  {
    name: 'SolidStart', sign: '@solidjs/start', needs: '@svc/solidstart', kind: 'server', prefix: '', callback: '/auth/callback', origin: 'http://localhost:3000',
    files: () => ({}),
  },
  {
    name: 'Expo', sign: 'expo', needs: '@svc/expo', kind: 'native', prefix: 'EXPO_PUBLIC_', callback: '/callback', origin: 'example.app:',
    files: () => ({}),
  },
  {
    name: 'Electron', sign: 'electron', needs: '@svc/electron', kind: 'native', prefix: '', callback: '/callback', origin: 'http://127.0.0.1',
    files: () => ({}),
  },
  { name: 'React', sign: 'react', needs: '@svc/react', ...browser, files: auth },
  { name: 'Vue', sign: 'vue', needs: '@svc/vue', ...browser, files: auth },
  { name: 'Solid', sign: 'solid-js', needs: '@svc/solid', ...browser, files: auth },
  { name: 'Svelte', sign: 'svelte', needs: '@svc/svelte', ...browser, files: auth },
  { name: 'a browser application', sign: 'vite', needs: '@svc/client', ...browser, files: auth },
];

/** The framework of a manifest. */
export function detect(manifest: { dependencies?: object; devDependencies?: object }): Framework | undefined {
  const has = { ...manifest.dependencies, ...manifest.devDependencies };
  return FRAMEWORKS.find(({ sign }) => sign in has);
}
