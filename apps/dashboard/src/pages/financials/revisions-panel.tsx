import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Badge, sentenceCase, type Tone } from '../../components/badge.tsx';
import { SelectField } from '../../components/field.tsx';
import { ExportMenu } from '../../components/links.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDay } from '../../lib/format-time.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { type Change, type ComparedRow, chosenRevisions, compareRevisions } from './compare-revisions.view.ts';
import { type Revision, type Snapshot, statementAmount } from './statement.view.ts';
import { periodText } from './statement-table.tsx';

const SHOWN = 100;

const columns: readonly Column<Revision>[] = [
  {
    title: 'Version',
    cell: ({ revision, current }) => (
      <span className="whitespace-nowrap">
        {revision} {current && <Badge tone="good">Current</Badge>}
      </span>
    ),
  },
  { title: 'Received', cell: (row) => <Instant at={row.recorded_at} /> },
  { title: 'Source', cell: (row) => <span className="inline-block min-w-20 wrap-anywhere">{row.source}</span> },
  { title: 'Period', wide: true, cell: (row) => periodText(row) },
  { title: 'Currency', wide: true, cell: (row) => row.currency },
];

export function RevisionsPanel({ snapshot: { company_id, id } }: { snapshot: Snapshot }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.financials.snapshots.revisions.queryOptions({ company_id, snapshot_id: id, limit: SHOWN }),
  );
  return (
    <Panel
      title="Versions"
      className="xl:col-span-2"
      flush
      actions={
        <ExportMenu
          path={`/companies/${company_id}/financials/snapshots/${id}/revisions`}
          input={{}}
          what="these versions"
        />
      }
    >
      <Loaded query={query} label="Loading the versions" flush>
        {({ data, has_more }) => (
          <>
            <SimpleTable
              label="Versions of this statement"
              rows={data}
              columns={columns}
              keyOf={({ revision }) => String(revision)}
              empty={<EmptyState title="No versions" />}
            />
            {has_more && (
              <p className="px-5 py-2 text-xs text-muted">Showing the latest {SHOWN}. Export to get all versions.</p>
            )}
            {data.length > 1 && <Comparison revisions={data} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Comparison({ revisions }: { revisions: readonly Revision[] }): React.JSX.Element {
  const { compare } = useSearch({ from: '/shell/company/financials' });
  const navigate = useNavigate({ from: '/financials' });
  const numbers = revisions.map(({ revision }) => revision);
  const chosen = chosenRevisions(compare, numbers) ?? chosenRevisions(undefined, numbers);
  const at = (number: number | undefined): Revision | undefined =>
    revisions.find(({ revision }) => revision === number);
  const [before, after] = [at(chosen?.[0]), at(chosen?.[1])];
  const pick = (a: number, b: number): void =>
    void navigate({ search: (now) => ({ ...now, compare: `${a}..${b}` }), replace: true });
  if (!before || !after) return <></>;
  const choice = (
    label: string,
    shown: Revision,
    isOutOfOrder: (number: number) => boolean,
    onPick: (n: number) => void,
  ) => (
    <SelectField label={label} value={shown.revision} onChange={({ target }) => onPick(Number(target.value))}>
      {numbers.map((number) => (
        <option key={number} value={number} disabled={isOutOfOrder(number)}>
          Version {number}
        </option>
      ))}
    </SelectField>
  );
  return (
    <section aria-label="Compare versions" className="flex flex-col gap-3 border-t px-5 py-4">
      <h3 className="text-sm font-semibold">Compare versions</h3>
      <div className="flex flex-wrap gap-3">
        {choice(
          'Earlier',
          before,
          (n) => n >= after.revision,
          (n) => pick(n, after.revision),
        )}
        {choice(
          'Later',
          after,
          (n) => n <= before.revision,
          (n) => pick(before.revision, n),
        )}
      </div>
      <Differences before={before} after={after} />
    </section>
  );
}

const tones: Readonly<Record<Change, Tone>> = { same: 'neutral', changed: 'warn', added: 'good', removed: 'bad' };

function Differences({ before, after }: { before: Revision; after: Revision }): React.JSX.Element {
  const rows = compareRevisions(before, after);
  const changed = rows.filter(({ change }) => change !== 'same').length;
  const figure = (amount: number | string | undefined, { currency }: Revision): React.JSX.Element => (
    <span className="whitespace-nowrap tabular-nums">
      {amount === undefined ? '–' : statementAmount(amount, currency)}
    </span>
  );
  const sameCurrency = before.currency === after.currency;
  const compared: readonly Column<ComparedRow>[] = [
    {
      title: 'Line',
      cell: ({ label, indent, isTotal }) => (
        <span
          style={{ paddingInlineStart: `${indent}rem` }}
          className={`inline-block min-w-32 wrap-anywhere ${isTotal ? 'font-semibold' : ''}`}
        >
          {label}
        </span>
      ),
    },
    {
      title: `Version ${before.revision} (${before.currency})`,
      align: 'end',
      cell: (row) => figure(row.before, before),
    },
    { title: `Version ${after.revision} (${after.currency})`, align: 'end', cell: (row) => figure(row.after, after) },
    {
      title: 'Difference',
      align: 'end',
      cell: ({ difference, change }) => figure(sameCurrency && change === 'changed' ? difference : undefined, after),
    },
    {
      title: 'Change',
      cell: ({ change }) =>
        change === 'same' ? (
          <span className="text-muted">Unchanged</span>
        ) : (
          <Badge tone={tones[change]}>{sentenceCase(change)}</Badge>
        ),
    },
  ];
  return (
    <>
      <p role="status" className="text-sm text-muted">
        {changed === 0 ? 'No lines changed.' : `${changed} of ${rows.length} lines changed.`}
        {before.period_start !== after.period_start &&
          ` The period start changed from ${formatDay(before.period_start)} to ${formatDay(after.period_start)}.`}
        {!sameCurrency && ` The currency changed from ${before.currency} to ${after.currency}.`}
        {before.source !== after.source && ` The source changed from ${before.source} to ${after.source}.`}
      </p>
      <div className="-mx-5">
        <SimpleTable
          label={`Version ${before.revision} compared with version ${after.revision}`}
          rows={rows}
          columns={compared}
          keyOf={({ id }) => id}
          empty={<EmptyState title="No lines in either version" />}
        />
      </div>
    </>
  );
}
