import { Readable } from 'node:stream';
import { type FieldError, fieldNamed, fieldOf, type Operation } from '@finhook/contracts';
import { DomainError, describeFieldErrors, toFieldErrors } from '@finhook/core';
import type { FastifyReply } from 'fastify';
import { type ExportFormat, exportColumns, exportTypes, formatQuery } from '../../operations/list-exports.ts';
import { encodeCsvHeader, encodeCsvRows } from './encode-csv.ts';
import { type OpenList, streamList } from './read-list.ts';
import type { Spreadsheet } from './spreadsheet.ts';

interface Encoder {
  contentType: string;
  fileName: string;
  head: string;
  encode: (records: readonly object[]) => string;
}

const CSV = `${exportTypes.csv}; charset=utf-8; header=present`;

function encoderOf({ format, operation, spreadsheet, now }: Export): Encoder {
  if (spreadsheet) return { contentType: CSV, ...spreadsheet };
  const named = { fileName: fileName(operation, format, now) };
  if (format === 'ndjson') {
    const encode = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
    return { ...named, contentType: exportTypes.ndjson, head: '', encode };
  }
  const columns = exportColumns(operation) ?? [];
  return {
    ...named,
    contentType: CSV,
    head: encodeCsvHeader(columns),
    encode: (records) => encodeCsvRows(columns, records),
  };
}

function fileName({ id }: Operation, format: ExportFormat, now: Date): string {
  const words = id.replace(/\.list$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${words.replaceAll('.', '-')}-${now.toISOString().slice(0, 10)}.${format}`;
}

export interface Export {
  operation: Operation;
  format: ExportFormat;
  list: OpenList;
  /** With the format `spreadsheet`. */
  spreadsheet?: Spreadsheet | undefined;
  now: Date;
  /** Called with an error after the first byte. */
  onError: (error: unknown) => void;
}

async function* startingWith(
  first: string,
  rest: AsyncGenerator<string, void, undefined>,
  onError: Export['onError'],
): AsyncGenerator<string, void, undefined> {
  try {
    if (first !== '') yield first;
    for await (const chunk of rest) if (chunk !== '') yield chunk;
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Errors of the first rows are problem documents. Later errors cut the connection: no partial file looks complete. */
export async function beginExport(reply: FastifyReply, given: Export): Promise<Readable> {
  const { contentType, fileName: name, head, encode } = encoderOf(given);
  const chunks = streamList(given.list, encode);
  const first = await chunks.next();
  reply.code(200).header('content-type', contentType).header('content-disposition', `attachment; filename="${name}"`);
  // The length is unknown (RFC 9110, section 8.6).
  if (reply.request.method === 'HEAD') return Readable.from([]);
  return Readable.from(startingWith(head + (first.done ? '' : first.value), chunks, given.onError), {
    objectMode: false,
  });
}

function pageOnly(query: Readonly<Record<string, unknown>>): string | undefined {
  if (query['before'] !== undefined) return 'before';
  const { include } = query;
  return ['total_count', 'totals', 'labels'].includes(String(include)) ? `include=${String(include)}` : undefined;
}

/** An order other than the default, the first option, reads all rows of the filters for each page. */
function sortFault(operation: Operation, { sort }: Readonly<Record<string, unknown>>): FieldError | undefined {
  const [first, ...others] = fieldNamed(fieldOf(operation.input, 'input'), 'sort')?.options ?? [];
  if (!others.some((name) => name === sort)) return undefined;
  return { pointer: '/sort', code: 'not_applicable', message: `must be left out: files are sorted by ${first}` };
}

function invalid(fields: readonly FieldError[]): DomainError {
  return new DomainError('validation_failed', { detail: describeFieldErrors(fields), fields });
}

/** Undefined for JSON. Throws 422 for an unknown format or an order that files don't have, and 400 for a parameter of pages. */
export function readFormat(
  operation: Operation,
  format: unknown,
  query: Readonly<Record<string, unknown>>,
): ExportFormat | undefined {
  const asked = { format };
  const result = formatQuery(operation).safeParse(asked);
  if (!result.success) throw invalid(toFieldErrors(result.error.issues, asked, () => false));
  const chosen = result.data.format;
  if (chosen === undefined || chosen === 'json') return undefined;
  const fault = sortFault(operation, query);
  if (fault) throw invalid([fault]);
  const stray = pageOnly(query);
  if (stray === undefined) return chosen;
  throw new DomainError('unknown_parameter', {
    detail: `The query parameter ${stray} applies to pages. With format=${chosen} all rows are returned: remove it.`,
  });
}
