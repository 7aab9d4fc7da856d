import type { ListedDelivery } from '@finhook/contracts';
import { Command } from 'commander';
import { endOfFeed, followFeed } from './feed.ts';
import type { Input, Service } from './http-api.ts';
import { cellOf } from './output.ts';
import { pause, readPage, readPages, withRetries } from './pages.ts';
import { addServiceFlags, connect, type ServiceFlags, type Session } from './session.ts';

interface FollowFlags extends ServiceFlags {
  follow?: boolean;
  after?: string;
  type?: string;
  companyId?: string;
  endpointId?: string;
  status?: string;
}

/** `finhook events`, in addition to the operations of the group. */
export function addEventsAction(group: Command, session: Session): void {
  group
    .enablePositionalOptions()
    .option('--follow', 'print new events as they come')
    .option('--after <cursor>', 'begin after this cursor, instead of now')
    .option('--type <type>', 'only events of this type')
    .option('--company-id <id>', 'only events of this company');
  addServiceFlags(group).action(() => events(group.opts(), session));
}

async function events({ follow, after, type, companyId, ...flags }: FollowFlags, session: Session): Promise<void> {
  const { service } = connect(session, flags);
  const filters = { type, company_id: companyId };
  const print = (rows: readonly unknown[]): void =>
    printRows(rows, ['created_at', 'type', 'id', 'company_id'], flags, session);
  if (!follow)
    return print(
      (
        await readPage(service, 'events.list', { ...filters, order: 'desc', limit: RECENT, before: after })
      ).data.toReversed(),
    );
  for await (const page of followFeed(service, session, { ...filters, after: after ?? (await endOfFeed(service)) }))
    print(page.events);
}

const RECENT = 20;

export function logsCommand(session: Session): Command {
  const command = new Command('logs')
    .summary('what happens to deliveries')
    .description('The newest deliveries, and with --follow each change of one as it happens.')
    .option('--follow', 'print each change of a delivery')
    .option('--endpoint-id <id>', 'only deliveries to this endpoint')
    .option('--status <status>', 'only deliveries with this status, for example undelivered');
  addServiceFlags(command);
  return command.action(() => logs(command.opts(), session));
}

const columns = [
  'updated_at',
  'status',
  'last_status_code',
  'event_type',
  'id',
  'endpoint_id',
  'attempt_count',
  'reason',
];

async function logs({ follow, endpointId, status, ...flags }: FollowFlags, session: Session): Promise<void> {
  const { service } = connect(session, flags);
  const filters = { endpoint_id: endpointId, status };
  const { data } = await readPage<ListedDelivery>(service, 'deliveries.list', { ...filters, limit: RECENT });
  printRows(data.toReversed(), columns, flags, session);
  if (follow) await followDeliveries(service, filters, data, flags, session);
}

const EVERY_MS = 1_000;
/** Each request reads this far back, because a row may become visible after one with a later `updated_at`. */
const OVERLAP_MS = 10_000;

async function followDeliveries(
  service: Service,
  filters: Input,
  known: readonly ListedDelivery[],
  flags: FollowFlags,
  session: Session,
): Promise<void> {
  const changeOf = ({ id, status, attempt_count }: ListedDelivery): string => `${id} ${status} ${attempt_count}`;
  const seen = new Map(known.map((each) => [changeOf(each), each.updated_at]));
  let newest =
    known
      .map(({ updated_at }) => updated_at)
      .toSorted()
      .at(-1) ?? (await serverTime(service));
  for (;;) {
    const since = new Date(Date.parse(newest) - OVERLAP_MS).toISOString();
    const rows = await withRetries(
      () => readAll(service, { ...filters, updated_since: since }),
      session.output,
      session.signal,
    );
    const news = rows
      .filter((row) => !seen.has(changeOf(row)))
      .toSorted((a, b) => a.updated_at.localeCompare(b.updated_at));
    printRows(news, columns, flags, session);
    for (const row of news) seen.set(changeOf(row), row.updated_at);
    for (const [change, at] of seen) if (at < since) seen.delete(change);
    newest = news.at(-1)?.updated_at ?? newest;
    await pause(EVERY_MS, session.signal);
  }
}

async function serverTime(service: Service): Promise<string> {
  const date = (await service.get('/healthz')).headers.get('date');
  return new Date(date ?? Date.now()).toISOString();
}

async function readAll(service: Service, input: Input): Promise<ListedDelivery[]> {
  const rows: ListedDelivery[] = [];
  for await (const { data } of readPages<ListedDelivery>(service, 'deliveries.list', input)) rows.push(...data);
  return rows;
}

function printRows(
  rows: readonly unknown[],
  names: readonly string[],
  { json }: ServiceFlags,
  { output }: Session,
): void {
  for (const row of rows) {
    const cells = names.map((name) => cellOf(Reflect.get(Object(row), name) ?? '-'));
    if (json) output.printJson(JSON.stringify(row));
    else output.print(cells.join(output.isTerminal ? '  ' : '\t'));
  }
}
