// Lists that are none, that have no end, and that lead nowhere.
import { expect, test } from 'vitest';
import { everyItem } from '../src/index.js';

/** What is read of a list whose every page is this one, and how often it was asked for. */
async function read(page: unknown): Promise<{ items: unknown[]; asked: number; code: unknown }> {
  const items: unknown[] = [];
  let asked = 0;
  const fetchPage = async () => {
    asked += 1;
    return page as never;
  };
  try {
    for await (const item of everyItem(fetchPage)) items.push(item);
    return { items, asked, code: undefined };
  } catch (error) {
    return { items, asked, code: (error as { code?: unknown }).code };
  }
}

test('a list that leads back to itself is an error, not its end', async () => {
  expect(await read({ data: [1], next_cursor: 'c' })).toEqual({ items: [1, 1], asked: 2, code: 'invalid_response' });
});

test.each([null, [], {}, { items: [1] }, { data: {} }])('%j is no page', async (page) => {
  expect(await read(page)).toEqual({ items: [], asked: 1, code: 'invalid_response' });
});

test.each([{ next_cursor: null }, { next_cursor: '' }, {}])('a list ends at %j', async (end) => {
  expect(await read({ data: [1], ...end })).toEqual({ items: [1], asked: 1, code: undefined });
});
