import type { Operation } from '@finhook/contracts';
import type { Context } from '@finhook/core';
import { z } from 'zod';
import { unwrapSchema } from './input-schema.ts';
import type { AnyVerb } from './operation-runner.ts';
import { createInputParser } from './parse-input.ts';

const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportTypes: Readonly<Record<ExportFormat, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

export const formatParameter = z
  .enum(['json', ...exportFormats])
  .optional()
  .meta({
    description:
      '`csv` and `ndjson` return all rows that match the filters instead of one page. `limit` is ignored then, and `after` sets the start.',
  });

/**
 * The columns of a list's CSV: the fields of its records in the order of their schema. Undefined for an operation that
 * is no paged list; every paged list can be exported.
 */
export function exportColumns({ kind, http, input, output }: Operation): readonly string[] | undefined {
  if (kind !== 'query' || http.method !== 'GET') return undefined;
  if (!(input instanceof z.ZodObject) || !(output instanceof z.ZodObject)) return undefined;
  const data = unwrapSchema(output.shape['data']);
  if (!('after' in input.shape) || !('order' in input.shape) || !(data instanceof z.ZodArray)) return undefined;
  return data.element instanceof z.ZodObject ? Object.keys(data.element.shape) : undefined;
}

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

/** Runs the first computation that it is given, and returns its result to all that follow. */
function createOnce(): (compute: () => Promise<unknown>) => Promise<unknown> {
  let result: Promise<unknown> | undefined;
  return (compute) => (result ??= compute());
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
    const once = createOnce();
    return {
      order: input.order,
      after: input.after,
      read: async (page) => asPage(await verb(await readContext(), { ...input, ...page, once })),
    };
  };
}
