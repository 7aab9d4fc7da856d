import { type Receiver, type ReceiverResponse, startReceiver } from '@finhook/testing';

export interface ProviderPage {
  balances?: readonly object[];
  transactions?: readonly object[];
  history_from?: string;
}

/** A provider on loopback whose pages are numbered by their cursor. */
export interface Provider {
  readonly url: string;
  /** The query of each request so far. */
  asked(): Record<string, string>[];
  readonly requests: Receiver['requests'];
  /** Replaces the response for this page; undefined restores it. */
  break(page: number, answer: ReceiverResponse | undefined): void;
  close(): Promise<void>;
}

/** Serves these pages to the provider `http`. */
export async function startProvider(pages: readonly ProviderPage[]): Promise<Provider> {
  const broken = new Map<number, ReceiverResponse>();
  const queryOf = (path: string) => new URL(path, 'http://localhost').searchParams;
  const server = await startReceiver({
    respond: ({ path }) => {
      const page = Number(queryOf(path).get('cursor') ?? 0);
      const last = page + 1 >= pages.length;
      const body = JSON.stringify({ ...pages[page], next_cursor: last ? null : String(page + 1) });
      return broken.get(page) ?? { body };
    },
  });
  return {
    url: `${server.url}/pages`,
    requests: server.requests,
    asked: () => server.requests.map(({ path }) => Object.fromEntries(queryOf(path))),
    break: (page, answer) => void (answer === undefined ? broken.delete(page) : broken.set(page, answer)),
    close: () => server.close(),
  };
}

/** Transactions of a page, with their own ids. */
export function transactionsOf(name: string, count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    external_id: `${name}-${i}`,
    posted_at: '2026-01-10T00:00:00Z',
    amount_cents: i + 1,
  }));
}
