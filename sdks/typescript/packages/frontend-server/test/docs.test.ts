// The pages of the documentation have the files of the examples and of tested programs, as they stand.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = new URL('../../../../../docs/packages/', import.meta.url);
const WORKSPACE = new URL('../../../', import.meta.url);

/** The pages, and how many programs each has at least. */
const PROGRAMS = {
  'next.md': 3, 'from-nextauth.md': 7, 'sveltekit.md': 3, 'solidstart.md': 3, 'server.md': 3, 'electron.md': 3, 'expo.md': 3, 'client.md': 2,
};

test.each(Object.entries(PROGRAMS))('%s', (page, least) => {
  expect(readdirSync(PAGES)).toContain(page);
  const text = readFileSync(new URL(page, PAGES), 'utf8');
  const taken = [...text.matchAll(/<!-- from (\S+) -->\n\n```\w+\n(.*?)```/gs)];
  // Commands and settings are the reader's own.
  const programs = [...text.matchAll(/^```(?!sh|ini|dotenv|toml|text)(\w+)\n/gm)];
  expect(programs.length).toBeGreaterThanOrEqual(least);
  expect(taken.map(([whole]) => whole.split('```')[1]?.split('\n')[0])).toEqual(programs.map(([, language]) => language));
  for (const [, path, block] of taken) {
    expect(block, path).toBe(readFileSync(new URL(path!.split('/').map(encodeURIComponent).join('/'), WORKSPACE), 'utf8'));
  }
});
