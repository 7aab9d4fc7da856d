import type { Operation } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { AnyVerb } from './operation-runner.ts';
import { createInputParser } from './parse-input.ts';

/** A page of any list. */
export interface AnyPage {
  data: readonly object[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Which rows of a list to read. `until` is the cursor of the last one to give. */
export interface PageBounds {
  limit: number;
  order: 'asc' | 'desc';
  after?: string | undefined;
  until?: string | undefined;
}

/** A list with its filters set: where its caller wanted to begin, and how its pages are read. */
export interface OpenList {
  order: 'asc' | 'desc';
  after: string | undefined;
  read: (page: PageBounds) => Promise<AnyPage>;
}

/**
 * Checks the input of a list and opens it. Nothing is read yet; each page is read by the context of its moment, because
 * what the caller reaches may change while a long list is read.
 */
export type OpenListOf = (raw: unknown, readContext: () => Promise<Context>) => OpenList;

// Only lists that page get here; `exportColumns` looked at their schemas.
function asListInput(input: unknown): { order: 'asc' | 'desc'; after?: string | undefined } {
  return input as { order: 'asc' | 'desc'; after?: string | undefined };
}

function asPage(output: unknown): AnyPage {
  return output as AnyPage;
}

/** Reads a list through its verb, the way its pages are read: an export needs nothing else of it. */
export function createListReader(operation: Operation, verb: AnyVerb): OpenListOf {
  const parse = createInputParser(operation);
  return (raw, readContext) => {
    const input = asListInput(parse(raw, []).input);
    return {
      order: input.order,
      after: input.after,
      read: async (page) => asPage(await verb(await readContext(), { ...input, ...page })),
    };
  };
}
