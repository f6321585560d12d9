// Lists of the management API, page after page.

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Every item of a list; `fetchPage` gets the query of each request, such as `?limit=50&cursor=…`. */
export async function* everyItem<Item>(fetchPage: (query: string) => Promise<Page<Item>>, limit = 50): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(limit) });
    if (cursor !== null) query.set('cursor', cursor);
    const page: Page<Item> = await fetchPage(`?${query}`);
    yield* page.data;
    // A cursor that comes again would lead around forever.
    if (page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
