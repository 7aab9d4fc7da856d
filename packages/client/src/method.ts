export interface CallOptions {
  /** Ends the call, with its retries: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, until its response is read. */
  readonly timeoutMs?: number | undefined;
  /** Number of retries after the first attempt; 0 for none. */
  readonly maxRetries?: number | undefined;
  /** Makes a mutation safe to repeat by another process: 1 to 255 visible ASCII characters. Random by default. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The first page of a list, and an iterator over the records of all pages:
 * `for await (const company of client.companies.list()) …`.
 */
export interface PagePromise<Page, Item> extends Promise<Page>, AsyncIterable<Item> {}

interface AnyPage {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** `read` returns the page after a cursor. */
export function toPagePromise(
  first: Promise<unknown>,
  read: (after: string) => Promise<unknown>,
): PagePromise<unknown, unknown> {
  async function* iterate(): AsyncGenerator<unknown, void, undefined> {
    let page = asPage(await first);
    for (;;) {
      yield* page.data;
      // The last page of the feed has a cursor too, for a later read.
      if (!page.has_more || page.next_cursor === null) return;
      page = asPage(await read(page.next_cursor));
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: iterate });
}

// The client's types have the iterator only for operations that return a page.
function asPage(output: unknown): AnyPage {
  return output as AnyPage;
}
