// The pages of the documentation have the files of the examples, as they stand.
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGES = new URL('../../../../../docs/packages/', import.meta.url);
const WORKSPACE = new URL('../../../', import.meta.url);

test.each(['next.md', 'sveltekit.md', 'solidstart.md'])('%s', (page) => {
  expect(readdirSync(PAGES)).toContain(page);
  const text = readFileSync(new URL(page, PAGES), 'utf8');
  const taken = [...text.matchAll(/<!-- from (\S+) -->\n\n```\w+\n(.*?)```/gs)];
  expect(taken.length).toBeGreaterThan(5);
  for (const [, path, block] of taken) {
    expect(block, path).toBe(readFileSync(new URL(path!.split('/').map(encodeURIComponent).join('/'), WORKSPACE), 'utf8'));
  }
});
