// The setting of packages whose tests need a page.
import { fileURLToPath } from 'node:url';
import type { UserWorkspaceConfig } from 'vitest/config';

const source = (name: string): string => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url));

export function withPage(name: string, plugins: UserWorkspaceConfig['plugins'] = []): UserWorkspaceConfig {
  return {
    plugins,
    resolve: {
      conditions: ['browser', 'development', 'module', 'import'],
      alias: { '@svc/client': source('client'), '@svc/frontend-ui': source('frontend-ui') },
    },
    test: { name, environment: 'happy-dom', testTimeout: 60_000, include: ['test/**/*.test.ts'], server: { deps: { inline: [/solid-js/] } } },
  } as UserWorkspaceConfig;
}
