// What the preload script uses of Electron, so that building it needs no copy of Electron.
declare module 'electron' {
  const electron: {
    contextBridge: { exposeInMainWorld(name: string, api: unknown): void };
    ipcRenderer: {
      invoke(channel: string, ...values: unknown[]): Promise<unknown>;
      on(channel: string, listener: (event: unknown, state: never) => void): void;
      removeListener(channel: string, listener: (event: unknown, state: never) => void): void;
    };
  };
  export default electron;
}
