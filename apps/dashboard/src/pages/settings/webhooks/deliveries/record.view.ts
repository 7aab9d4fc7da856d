import { sentenceCase } from '../../../../components/badge.tsx';
import { formatShortDay } from '../../../../lib/format-time.ts';
import { textIn } from '../../../../lib/problem.ts';
import { recordKinds } from '../../../../operation/records.catalogue.ts';

/** Events with many records: their bodies can have a megabyte, so a list doesn't read them. */
const batches: Readonly<Record<string, string>> = {
  'bank.transaction.posted': 'Transactions',
  'bank.transaction.updated': 'Transactions',
};

export const batchName = (eventType: string): string | undefined =>
  Object.hasOwn(batches, eventType) ? batches[eventType] : undefined;

/** `Balance · Operating · 26 Nov`: what an event is about, by the data of the event. `nameOf` is that of an account. */
export function recordText(data: unknown, nameOf: (connectionId: string) => string | undefined): string | undefined {
  const id = textIn(data, 'id') ?? '';
  const prefix = id.slice(0, Math.max(id.indexOf('_'), 0));
  const noun = Object.hasOwn(recordKinds, prefix) ? sentenceCase(recordKinds[prefix]?.noun ?? '') : undefined;
  const connection = textIn(data, 'connection_id');
  const day = textIn(data, 'as_of') ?? textIn(data, 'period_end') ?? textIn(data, 'due_date');
  const name =
    textIn(data, 'title') ?? textIn(data, 'name') ?? (connection && (nameOf(connection) ?? connection)) ?? undefined;
  const parts = [noun, name, day && formatShortDay(`${day.slice(0, 10)}T00:00:00Z`, 'UTC')];
  const text = parts.filter((part) => part !== undefined && part !== '').join(' · ');
  return text === '' ? undefined : text;
}
