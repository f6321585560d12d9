import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// Every package with a `vitest.config.ts` of its own is a project; the others run in Node with this one.
const own = readdirSync('packages').filter((name) => existsSync(`packages/${name}/vitest.config.ts`));

export default defineConfig({
  test: {
    projects: [
      ...own.map((name) => `packages/${name}/vitest.config.ts`),
      {
        test: {
          name: 'node',
          // Some bundle an application, on a machine that may do more than that.
          testTimeout: 60_000,
          include: ['packages/*/test/**/*.test.ts', 'scripts/test/*.test.js'],
          exclude: own.map((name) => `packages/${name}/**`).concat('**/node_modules/**'),
        },
      },
    ],
  },
});
