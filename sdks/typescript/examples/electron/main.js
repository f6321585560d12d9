import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createElectronAuth } from '@svc/electron';
import electron from 'electron';

const { app, BrowserWindow } = electron;
// Started again, the application opens a window of this process: two processes would take each other's refresh token from the file.
if (!app.requestSingleInstanceLock()) app.exit();
await app.whenReady();
export const auth = createElectronAuth({
  electron,
  baseURL: process.env.SVC_ISSUER ?? 'http://localhost:8080',
  oauth: { clientId: process.env.SVC_CLIENT_ID ?? 'app_…' },
  file: join(app.getPath('userData'), 'session'),
  trusted: ['file://'], // the origins of windows that may ask
});

const preload = createRequire(import.meta.url).resolve('@svc/electron/preload');
const openWindow = () => new BrowserWindow({ webPreferences: { preload } }).loadFile(join(import.meta.dirname, 'index.html'));
app.on('second-instance', openWindow);
await openWindow();
