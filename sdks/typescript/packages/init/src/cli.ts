#!/usr/bin/env node
/** `svc-init --issuer https://acme.id.example --registration-token … --origin https://shop.example` */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { InitError, init } from './index.js';

const USAGE = `Usage: svc-init --issuer <address> [--tenant <slug>] [--registration-token <token>] [--origin <origin>] [--yes]

  --issuer <address>             the service, or SVC_ISSUER: https://id.example
  --tenant <slug>                becomes the first label of its host: https://acme.id.example
  --registration-token <token>   the initial access token of the administrator, or SVC_DCR_INITIAL_ACCESS_TOKEN
  --origin <origin>              where people reach the application; else the development server of its framework
  --yes                          writes and registers without asking

It does nothing where SVC_CLIENT_ID is set, in the environment or in the project's .env files.`;

async function agree(change: string): Promise<boolean> {
  console.log(change);
  if (!process.stdin.isTTY) return false;
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asked.question('Write this? [y/N] ');
  asked.close();
  return /^y(es)?$/i.test(answer.trim());
}

try {
  const { values } = parseArgs({
    options: {
      issuer: { type: 'string' }, tenant: { type: 'string' }, 'registration-token': { type: 'string' }, origin: { type: 'string' },
      yes: { type: 'boolean' }, help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const outcome = await init({
    folder: process.cwd(),
    issuer: values.issuer || process.env.SVC_ISSUER,
    tenant: values.tenant,
    registrationToken: values['registration-token'] || process.env.SVC_DCR_INITIAL_ACCESS_TOKEN,
    origin: values.origin,
    environment: process.env,
    say: (line) => console.log(line),
    agree: values.yes ? async (change) => (console.log(change), true) : agree,
  });
  if (outcome === 'declined') {
    console.log('Nothing was written.');
    process.exitCode = 1;
  }
} catch (error) {
  const isOurs = error instanceof InitError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isOurs ? `svc-init: ${(error as Error).message}` : `svc-init: ${(error as { code?: string }).code ?? 'something went wrong'}`);
  process.exitCode = 2;
}
