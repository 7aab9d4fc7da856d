import type { Operation } from '@finhook/contracts';
import type { Input, SurfaceClient } from './surface-client.ts';

export interface Page {
  data: ({ id: string } & Record<string, unknown>)[];
  has_more: boolean;
  next_cursor: string | null;
  prev_cursor: string | null;
  total_count?: number;
}

/** Reads one page of any list; throws when it is refused. */
export async function readPage(client: SurfaceClient, operation: Operation, input: Input): Promise<Page> {
  const answer = await client.rest(operation, input);
  if (answer.status !== 200) throw new Error(`${operation.id} answered ${answer.status}: ${answer.text}`);
  const page: Page = JSON.parse(answer.text);
  return page;
}

export function idsOf({ data }: Page): string[] {
  return data.map(({ id }) => id);
}

/** The ids of a whole list, page by page. */
export async function readAllIds(client: SurfaceClient, operation: Operation, input: Input): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const next: Page = await readPage(client, operation, { ...input, ...(after === null ? {} : { after }) });
    ids.push(...idsOf(next));
    after = next.has_more ? next.next_cursor : null;
  } while (after !== null);
  return ids;
}
