/** The preload script: `webPreferences: { preload: require.resolve('@svc/electron/preload') }`. Windows get state and actions, never tokens. */
import electron from 'electron';
import type { LoginOptions } from '@svc/client';
import type { WindowState } from './index.js';

/** What a window has as `window.svc`. */
export interface SvcBridge {
  state(): Promise<WindowState>;
  subscribe(listener: (state: WindowState) => void): () => void;
  login(options?: Omit<LoginOptions, 'popup' | 'returnTo'>): Promise<void>;
  logout(): Promise<void>;
  switchOrganization(organization: string): Promise<void>;
}

const { contextBridge, ipcRenderer } = electron;

async function ask<T>(name: string, value?: unknown): Promise<T> {
  const answer = (await ipcRenderer.invoke(`svc:${name}`, value)) as { value: T; error?: string };
  if (answer.error) throw new Error(`svc: ${answer.error}`);
  return answer.value;
}

const bridge: SvcBridge = {
  state: () => ask('state'),
  subscribe(listener) {
    const hear = (_: unknown, state: WindowState): void => listener(state);
    ipcRenderer.on('svc:changed', hear);
    return () => void ipcRenderer.removeListener('svc:changed', hear);
  },
  login: (options) => ask('login', options),
  logout: () => ask('logout'),
  switchOrganization: (organization) => ask('organization', organization),
};

contextBridge.exposeInMainWorld('svc', bridge);
