#!/usr/bin/env node
/** `svc-init --issuer https://acme.id.example --registration-token … --origin https://shop.example` */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { InitError, init } from './index.js';
import { OPTIONS, USAGE } from './usage.js';

async function agree(change: string): Promise<boolean> {
  console.log(change);
  if (!process.stdin.isTTY) {
    console.log('There is no terminal to ask at: --yes writes and registers without asking.');
    return false;
  }
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  // The end of the input is no answer, which is a no.
  const answer = await Promise.race([asked.question('Write this? [y/N] '), new Promise<string>((resolve) => asked.once('close', () => resolve('')))]);
  asked.close();
  return /^y(es)?$/i.test(answer.trim());
}

try {
  const { values } = parseArgs({ options: OPTIONS });
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
