import type { Operation } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import type { AnyVerb } from './operation-runner.ts';
import { createInputParser } from './parse-input.ts';

export interface AnyPage {
  data: readonly object[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface PageBounds {
  limit: number;
  order: 'asc' | 'desc';
  after?: string | undefined;
  until?: string | undefined;
}

export interface OpenList {
  order: 'asc' | 'desc';
  after: string | undefined;
  read: (page: PageBounds) => Promise<AnyPage>;
}

/**
 * Validates the input of a list and opens it without reading. Each page is read with a current context, because the
 * caller's access may change during a long export.
 */
export type OpenListOf = (raw: unknown, readContext: () => Promise<Context>) => OpenList;

// `exportColumns` has checked that the output is a page.
function asListInput(input: unknown): { order: 'asc' | 'desc'; after?: string | undefined } {
  return input as { order: 'asc' | 'desc'; after?: string | undefined };
}

function asPage(output: unknown): AnyPage {
  return output as AnyPage;
}

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
