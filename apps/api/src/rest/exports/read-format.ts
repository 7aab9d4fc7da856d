import { DomainError, describeFaults, toFieldErrors } from '@finhook/core';
import { z } from 'zod';
import { type ExportFormat, formatParameter } from '../../operations/export-columns.ts';

const parameters = z.object({ format: formatParameter });

/** The parameter that asks for something of a page, of which an export has none. */
function pageOnly(query: Readonly<Record<string, unknown>>): string | undefined {
  if (query['before'] !== undefined) return 'before';
  return query['include'] === 'total_count' ? 'include=total_count' : undefined;
}

/**
 * The form that a list is asked for; undefined is a page of JSON. Throws 422 for a form that there is not and 400 for a
 * parameter that says nothing about an export.
 */
export function readFormat(format: unknown, query: Readonly<Record<string, unknown>>): ExportFormat | undefined {
  const asked = { format };
  const result = parameters.safeParse(asked);
  if (!result.success) {
    const fields = toFieldErrors(result.error.issues, asked, () => false);
    throw new DomainError('validation_failed', { detail: describeFaults(fields), fields });
  }
  const chosen = result.data.format;
  if (chosen === undefined || chosen === 'json') return undefined;
  const stray = pageOnly(query);
  if (stray === undefined) return chosen;
  throw new DomainError('unknown_parameter', {
    detail: `The query parameter ${stray} is about a page; with format=${chosen} all rows are given: leave it out.`,
  });
}
