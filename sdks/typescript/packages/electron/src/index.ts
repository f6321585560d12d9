/** Sign-in with svc for Electron, in the main process: the system's browser, `safeStorage`, and no tokens in windows. */
import { type Client, type LoginOptions, type SessionState, SvcError, createClient } from '@svc/client';
import { type Loopback, listen } from './loopback.js';
import { type SafeStorage, safeFile } from './storage.js';

export type { SafeStorage } from './storage.js';

/** The part of Electron that this package uses; pass `require('electron')`. */
export interface Electron {
  shell: { openExternal(url: string): Promise<void> };
  safeStorage: SafeStorage;
  ipcMain: {
    handle(channel: string, listener: (event: IpcEvent, ...values: unknown[]) => unknown): void;
    removeHandler(channel: string): void;
  };
}

/** The part of an event that this package uses. */
export interface IpcEvent {
  sender: {
    send(channel: string, ...values: unknown[]): void;
    isDestroyed(): boolean;
    once(event: 'destroyed', listener: () => void): unknown;
    getURL?(): string;
  };
  senderFrame: { url: string } | null;
}

export interface ElectronOptions {
  electron: Electron;
  baseURL: string;
  oauth: {
    /** An application of type `native` with the redirect URI `http://127.0.0.1/callback`; its port does not matter. */
    clientId: string;
    scopes?: readonly string[];
    resource?: string;
  };
  /** Where the session is kept: `join(app.getPath('userData'), 'session')`. */
  file: string;
  /** The origins of windows that may ask: `['app://shop']`, `['file://']`. */
  trusted: readonly string[];
  dpop?: boolean;
  /** The text that the browser shows when it may be closed. */
  page?: string;
  /** How long a sign-in may take, in milliseconds. */
  patience?: number;
  fetch?: typeof globalThis.fetch;
}

export interface ElectronAuth {
  /** The client, for the main process alone. */
  client: Client;
  login(options?: LoginOptions): Promise<void>;
  /** Stops listening to windows. */
  dispose(): void;
}

/** What windows may see: no token. */
export type WindowState = Omit<SessionState, 'error'> & { readonly error: { readonly code: string } | null };

const PAGE = '<!doctype html><html lang="en"><title>Signed in</title><p>You can close this window and go back to the application.</p></html>';

export function createElectronAuth(options: ElectronOptions): ElectronAuth {
  const { electron: { shell, safeStorage, ipcMain }, baseURL, oauth, file, trusted, page = PAGE, patience = 300_000 } = options;
  let loopback: Loopback | undefined;
  /** The number of the last attempt, and of the one that runs. */
  let [attempts, present] = [0, 0];
  let running: Promise<void> = Promise.resolve();
  const plain = createClient({
    baseURL,
    oauth: {
      ...oauth,
      get redirectUri() {
        return loopback?.redirectUri ?? 'http://127.0.0.1/callback';
      },
    },
    storage: safeFile(file, safeStorage),
    tabs: false,
    ...(options.dpop === undefined ? {} : { dpop: options.dpop }),
    ...(options.fetch ? { fetch: options.fetch } : {}),
    async open(url, isAnswer) {
      if (present !== attempts) throw new SvcError('cancelled');
      // INVARIANT: only an address of the web is given to the system, which would run others.
      if (!/^https?:$/.test(new URL(url).protocol)) throw new SvcError('invalid_discovery');
      const answer = (loopback as Loopback).answer(isAnswer);
      await shell.openExternal(url).catch(() => {
        throw new SvcError('browser_unavailable');
      });
      return answer.catch(() => {
        throw new SvcError('cancelled');
      });
    },
  });

  /** Runs what may open the browser, while a port listens for what comes back. */
  function attempted(act: () => Promise<void>): Promise<void> {
    // A new attempt ends the one before it, whose window may have been closed long ago.
    const attempt = (attempts += 1);
    loopback?.close();
    running = running.catch(() => {}).then(async () => {
      // One that was overtaken before it began opens no browser.
      if (attempt !== attempts) throw new SvcError('cancelled');
      present = attempt;
      loopback = await listen(page, patience);
      try {
        await act();
      } finally {
        loopback.close();
        loopback = undefined;
      }
    });
    return running;
  }
  const login = (wish?: LoginOptions): Promise<void> => attempted(() => plain.login(wish));
  // Without a refresh token another organization needs a sign-in, too.
  const client: Client = { ...plain, login, switchOrganization: (organization) => attempted(() => plain.switchOrganization(organization)) };

  const windows = new Set<IpcEvent['sender']>();
  const shown = (): WindowState => {
    const { error, ...rest } = client.getSnapshot();
    return { ...rest, error: error && { code: error.code } };
  };
  const forget = client.subscribe(() => windows.forEach((window) => {
    // A window may have gone elsewhere since it asked.
    if (!window.isDestroyed() && (!window.getURL || isTrusted(window.getURL()))) window.send('svc:changed', shown());
  }));
  const isTrusted = (address = ''): boolean => {
    if (!URL.canParse(address)) return false;
    const { protocol, host } = new URL(address);
    return trusted.includes(`${protocol}//${host}`);
  };
  /** Answers windows that are trusted: with a value, or with the code of an error. */
  const answer = (name: string, act: (event: IpcEvent, value: never) => unknown): void =>
    ipcMain.handle(`svc:${name}`, async (event, value) => {
      if (!isTrusted(event.senderFrame?.url)) return { error: 'forbidden' };
      try {
        return { value: await act(event, value as never) };
      } catch (error) {
        return { error: error instanceof SvcError ? error.code : 'failed' };
      }
    });
  answer('state', async ({ sender }) => {
    // A window that is loaded again asks again.
    if (!windows.has(sender)) sender.once('destroyed', () => windows.delete(sender));
    windows.add(sender);
    await client.ready();
    return shown();
  });
  answer('login', (_, wish: LoginOptions | undefined) => login(wish ?? {}));
  answer('logout', () => client.logout());
  answer('organization', (_, organization: string) => client.switchOrganization(String(organization)));

  return {
    client,
    login,
    dispose() {
      forget();
      attempts += 1;
      loopback?.close();
      for (const name of ['state', 'login', 'logout', 'organization']) ipcMain.removeHandler(`svc:${name}`);
    },
  };
}
