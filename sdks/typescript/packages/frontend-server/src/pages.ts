// Lists of the management API, page after page.
import { AuthError } from './error.js';

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/**
 * Every item of a list; `fetchPage` gets the query of each request, such as `?limit=50&cursor=…`. An answer that is no page, or that leads
 * back to itself, is an error: half a list must not look like a whole one.
 */
export async function* everyItem<Item>(fetchPage: (query: string) => Promise<Page<Item>>, limit = 50): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit) });
    if (cursor !== null) query.set('cursor', cursor);
    const page: Page<Item> = await fetchPage(`?${query}`);
    if (!Array.isArray(page?.data)) throw refused('The answer is no list.');
    yield* page.data;
    const next: string | null = page.next_cursor || null;
    if (next !== null && next === cursor) throw refused('The list repeats its cursor.');
    cursor = next;
  } while (cursor !== null);
}

function refused(why: string): AuthError {
  return new AuthError('invalid_response', why, { status: 502 });
}
