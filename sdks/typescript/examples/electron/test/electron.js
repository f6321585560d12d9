// Stands in for Electron, whose program is not in its npm package: the main process and the preload script run as they are, a window is
// a page of Chromium, and the browser of the system is another profile of it.
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a test decides, and what it looks at: `heard` is all that the main process said to windows, `startAgain` what a second start does. */
export const around = {
  browser: undefined, browse: async () => {}, windows: [], heard: [], startAgain: undefined, folder: await mkdtemp(join(tmpdir(), 'svc-electron-')),
};
const handlers = new Map();

class BrowserWindow {
  constructor({ webPreferences: { preload } }) {
    this.preload = preload;
  }

  async loadFile(file) {
    const context = await around.browser.newContext();
    context.setDefaultTimeout(15_000);
    this.page = await context.newPage();
    const said = (value) => {
      around.heard.push(JSON.stringify(value));
      return value;
    };
    const webContents = {
      send: (channel, value) => void this.page.evaluate(([channel, value]) => globalThis.heard(channel, value), [channel, said(value)]).catch(() => {}),
      isDestroyed: () => this.page.isClosed(),
      once: (event, listener) => this.page.once('close', listener),
    };
    await this.page.exposeFunction('invoked', async (channel, ...values) =>
      said(await handlers.get(channel)({ sender: webContents, senderFrame: { url: this.page.url() } }, ...values)));
    await this.page.addInitScript(`(${isolated})(function (require, module, exports) {${readFileSync(this.preload, 'utf8')}\n});`);
    await this.page.goto(String(pathToFileURL(file)));
    around.windows.push(this.page);
  }
}

/** What a preload script finds: the module "electron", and no other. */
function isolated(preload) {
  const listeners = new Map();
  const { invoked } = globalThis;
  globalThis.heard = (channel, value) => listeners.get(channel)?.forEach((listener) => listener({}, value));
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => (globalThis[name] = api) },
    ipcRenderer: {
      invoke: (...values) => invoked(...values),
      on: (channel, listener) => listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
      removeListener: (channel, listener) => listeners.get(channel)?.delete(listener),
    },
  };
  const require = (name) => {
    if (name !== 'electron') throw new Error(`a sandboxed preload script cannot load ${name}`);
    return electron;
  };
  const module = { exports: {} };
  preload(require, module, module.exports);
}

export default {
  BrowserWindow,
  app: {
    whenReady: async () => {},
    getPath: () => around.folder,
    requestSingleInstanceLock: () => true,
    exit: () => {
      throw new Error('there is one instance');
    },
    on: (event, listener) => {
      if (event === 'second-instance') around.startAgain = listener;
    },
  },
  ipcMain: { handle: (channel, listener) => handlers.set(channel, listener), removeHandler: (channel) => handlers.delete(channel) },
  shell: { openExternal: async (url) => void around.browse(url).catch((error) => console.error(error)) },
  safeStorage: {
    isEncryptionAvailable: () => true,
    getSelectedStorageBackend: () => 'gnome_libsecret',
    encryptString: (text) => Buffer.from(Buffer.from(text).map((byte) => byte ^ 42)),
    decryptString: (sealed) => Buffer.from(sealed.map((byte) => byte ^ 42)).toString(),
  },
};
