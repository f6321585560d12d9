// The settings of an application: in the environment, and in the files that frameworks read it from.
import { randomBytes } from 'node:crypto';
import type { Framework } from './frameworks.js';

/** Where frameworks look for settings; ours are written to the last. */
export const FILES = ['.env', '.env.development', '.env.development.local', '.env.local'] as const;

/** Whether an application is set, with the prefix of a framework or without one. */
export function isSet(environment: Record<string, string | undefined>, files: (string | undefined)[]): boolean {
  const named = Object.entries(environment).some(([name, value]) => value && /^(?:[A-Z\d_]*_)?SVC_CLIENT_ID$/.test(name));
  return named || files.some((text) => /^[\uFEFF \t]*(?:export[ \t]+)?(?:[A-Z\d_]*_)?SVC_CLIENT_ID[ \t]*[=:][ \t]*["'`]?[^"'`\s#]/m.test(text ?? ''));
}

/** What is known of the application; of one that is not registered yet, what is shown in its place. */
export interface Known {
  issuer: string;
  redirectUri: string;
  clientId: string;
  secret?: string | undefined;
}

export function settings({ prefix, kind }: Framework, { issuer, redirectUri, clientId, secret }: Known): string {
  const lines = [`${prefix}SVC_ISSUER=${issuer}`, `${prefix}SVC_CLIENT_ID=${clientId}`, `${prefix}SVC_REDIRECT_URI=${redirectUri}`];
  if (kind === 'server') {
    lines.push(`SVC_CLIENT_SECRET=${secret ?? ''}`);
    lines.push(`SVC_COOKIE_SECRET=${clientId.startsWith('<') ? '<made here>' : randomBytes(32).toString('base64url')}`);
  }
  return `${lines.join('\n')}\n`;
}
