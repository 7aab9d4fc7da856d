import type { Operation } from '@finhook/contracts';
import type { ApiClient, Input } from './api-client.ts';

export interface Page {
  data: ({ id: string } & Record<string, unknown>)[];
  has_more: boolean;
  next_cursor: string | null;
  prev_cursor: string | null;
  total_count?: number;
}

/** Reads one page of any list; throws when it is rejected. */
export async function readPage(client: ApiClient, operation: Operation, input: Input): Promise<Page> {
  const response = await client.rest(operation, input);
  if (response.status !== 200) throw new Error(`${operation.id} returned ${response.status}: ${response.text}`);
  const page: Page = JSON.parse(response.text);
  return page;
}

export function idsOf({ data }: Page): string[] {
  return data.map(({ id }) => id);
}

/** The ids of a whole list, page by page. */
export async function readAllIds(client: ApiClient, operation: Operation, input: Input): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const next: Page = await readPage(client, operation, { ...input, ...(after === null ? {} : { after }) });
    ids.push(...idsOf(next));
    after = next.has_more ? next.next_cursor : null;
  } while (after !== null);
  return ids;
}
