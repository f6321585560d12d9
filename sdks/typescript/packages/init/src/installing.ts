// How packages are added to a project: another program than its own would write a second file of versions, or cannot read its workspace.
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const COMMANDS: Readonly<Record<string, string>> = { npm: 'npm install', pnpm: 'pnpm add', yarn: 'yarn add', bun: 'bun add' };
/** What each of them writes, in the folder of the project or at the root of its workspace. */
const LOCKS: readonly [string, string][] = [
  ['package-lock.json', 'npm'], ['pnpm-lock.yaml', 'pnpm'], ['yarn.lock', 'yarn'], ['bun.lock', 'bun'], ['bun.lockb', 'bun'],
];

/** The command that adds packages; `declared` is `packageManager` of the manifest, such as `pnpm@10.1.0`. */
export async function installing(folder: string, declared: unknown): Promise<string> {
  const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, () => false);
  const named = typeof declared === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1] : undefined;
  if (named) return COMMANDS[named] as string;
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const [lock, manager] of LOCKS) if (await isThere(join(at, lock))) return COMMANDS[manager] as string;
    if ((await isThere(join(at, '.git'))) || at === dirname(at)) return COMMANDS['npm'] as string;
  }
}
