import { Readable } from 'node:stream';
import type { Operation } from '@finhook/contracts';
import type { FastifyReply } from 'fastify';
import { type ExportFormat, exportColumns, exportTypes } from '../../operations/export-columns.ts';
import type { OpenList } from '../../operations/list-reader.ts';
import { encodeCsvHeader, encodeCsvRows } from './encode-csv.ts';
import { streamList } from './stream-list.ts';

interface Encoder {
  contentType: string;
  head: string;
  encode: (records: readonly object[]) => string;
}

function encoderOf(format: ExportFormat, operation: Operation): Encoder {
  if (format === 'ndjson') {
    const encode = (records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');
    return { contentType: exportTypes.ndjson, head: '', encode };
  }
  const columns = exportColumns(operation) ?? [];
  return {
    contentType: `${exportTypes.csv}; charset=utf-8; header=present`,
    head: encodeCsvHeader(columns),
    encode: (records) => encodeCsvRows(columns, records),
  };
}

/** A name to save it under: `bank.transactions.list` on a day is `bank-transactions-2026-03-01.csv`. */
function fileName({ id }: Operation, format: ExportFormat, now: Date): string {
  const words = id.replace(/\.list$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${words.replaceAll('.', '-')}-${now.toISOString().slice(0, 10)}.${format}`;
}

export interface Export {
  operation: Operation;
  format: ExportFormat;
  list: OpenList;
  now: Date;
  /** Told of what went wrong after the first byte: the connection is cut then, and the log says why. */
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

/**
 * Reads the first rows, sets the answer's headers and returns its body: all rows of a list, at the pace of whoever
 * reads them. What fails until here throws and becomes a problem document; later a failure cuts the connection, so that
 * half of a file is never taken for all of it.
 */
export async function beginExport(
  reply: FastifyReply,
  { operation, format, list, now, onError }: Export,
): Promise<Readable> {
  const { contentType, head, encode } = encoderOf(format, operation);
  const chunks = streamList(list, encode);
  const first = await chunks.next();
  reply
    .code(200)
    .header('content-type', contentType)
    .header('content-disposition', `attachment; filename="${fileName(operation, format, now)}"`);
  // A stream, so that no length is told: that of the file is known at its end only (RFC 9110, section 8.6).
  if (reply.request.method === 'HEAD') return Readable.from([]);
  return Readable.from(startingWith(head + (first.done ? '' : first.value), chunks, onError), { objectMode: false });
}
