// The pages of the documentation have the files of the examples and of tested programs, as they stand.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = new URL('../../../../../docs/packages/', import.meta.url);
const WORKSPACE = new URL('../../../', import.meta.url);

test.each(['next.md', 'sveltekit.md', 'solidstart.md', 'server.md', 'electron.md', 'expo.md'])('%s', (page) => {
  expect(readdirSync(PAGES)).toContain(page);
  const text = readFileSync(new URL(page, PAGES), 'utf8');
  const taken = [...text.matchAll(/<!-- from (\S+) -->\n\n```\w+\n(.*?)```/gs)];
  // Commands and settings are the reader's own.
  const programs = [...text.matchAll(/^```(?!sh|ini|dotenv|toml|text)(\w+)\n/gm)];
  expect(programs.length).toBeGreaterThan(2);
  expect(taken.map(([whole]) => whole.split('```')[1]?.split('\n')[0])).toEqual(programs.map(([, language]) => language));
  for (const [, path, block] of taken) {
    expect(block, path).toBe(readFileSync(new URL(path!.split('/').map(encodeURIComponent).join('/'), WORKSPACE), 'utf8'));
  }
});
