// Which framework a project uses, and what it needs in order to sign people in.
import { plain, react, solid, svelte, vue } from './files/browser.js';
import { electron } from './files/electron.js';
import { expo } from './files/expo.js';
import { next } from './files/next.js';
import type { Plan, Project, Settings } from './files/project.js';
import { solidstart } from './files/solidstart.js';
import { sveltekit } from './files/sveltekit.js';

export interface Framework {
  /** Its name for people. */
  name: string;
  /** The package by which it is recognized. */
  sign: string;
  /** The packages of svc that it needs. */
  needs: string;
  kind: 'browser' | 'server' | 'native';
  /** Before the names of settings that a browser may see. */
  prefix: string;
  callback: string;
  /** The origin while it is developed. */
  origin: string;
  plan(project: Project, settings: Settings): Promise<Plan>;
}

const server = { kind: 'server', prefix: '', callback: '/auth/callback', origin: 'http://localhost:3000' } as const;
const browser = { kind: 'browser', prefix: 'VITE_', callback: '/callback', origin: 'http://localhost:5173' } as const;

/** In the order in which they are looked for: a framework that is built on another comes before it. */
export const FRAMEWORKS: readonly Framework[] = [
  { name: 'Next.js', sign: 'next', needs: '@svc/next', ...server, plan: next },
  { name: 'SvelteKit', sign: '@sveltejs/kit', needs: '@svc/sveltekit', ...server, origin: 'http://localhost:5173', plan: sveltekit },
  { name: 'SolidStart', sign: '@solidjs/start', needs: '@svc/solidstart', ...server, plan: solidstart },
  {
    name: 'Expo', sign: 'expo', needs: '@svc/expo @svc/client', kind: 'native', prefix: 'EXPO_PUBLIC_', callback: '/callback', origin: 'example.app:',
    plan: expo,
  },
  {
    name: 'Electron', sign: 'electron', needs: '@svc/electron', kind: 'native', prefix: '', callback: '/callback', origin: 'http://127.0.0.1',
    plan: electron,
  },
  { name: 'React', sign: 'react', needs: '@svc/react @svc/client', ...browser, plan: react },
  { name: 'Vue', sign: 'vue', needs: '@svc/vue @svc/client', ...browser, plan: vue },
  { name: 'Solid', sign: 'solid-js', needs: '@svc/solid @svc/client', ...browser, plan: solid },
  { name: 'Svelte', sign: 'svelte', needs: '@svc/svelte @svc/client', ...browser, plan: svelte },
  { name: 'a browser application', sign: 'vite', needs: '@svc/client', ...browser, plan: plain },
];

/** What is built on one of the libraries for browsers and runs otherwise: files for a browser application would be of no use there. */
const OTHERS = [
  '@react-router/dev', '@remix-run/react', '@tanstack/react-start', '@tanstack/solid-start', 'astro', 'gatsby', 'nuxt', 'react-native', 'vike', 'waku',
];

/** The framework of a manifest. */
export function detect(manifest: { dependencies?: object; devDependencies?: object }): Framework | undefined {
  const has = { ...manifest.dependencies, ...manifest.devDependencies };
  const found = FRAMEWORKS.find(({ sign }) => sign in has);
  return found?.kind === 'browser' && OTHERS.some((sign) => sign in has) ? undefined : found;
}
