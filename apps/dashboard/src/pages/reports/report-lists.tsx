import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badge.tsx';
import { Money } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Instant } from '../../components/time.tsx';
import { formatDay, formatMonth } from '../../lib/format-time.ts';
import { monthAfter } from '../../lib/periods.ts';
import { plural } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';
import { statusOf, type Wire } from '../approvals/approval.view.ts';
import { findingsOf } from '../data-quality/data-quality.view.ts';

/** The largest page of a list. */
const READ = 200;

const wireColumns: readonly Column<Wire>[] = [
  {
    title: 'Beneficiary',
    cell: ({ id, beneficiary }) => (
      <Link to="/approvals/$approvalId" params={{ approvalId: id }} className="text-accent underline">
        {beneficiary.name}
      </Link>
    ),
  },
  { title: 'Requested', wide: true, cell: ({ created_at }) => <Instant at={created_at} /> },
  { title: 'Status', cell: (wire) => <StatusBadge status={statusOf(wire)} /> },
  {
    title: 'Amount',
    align: 'end',
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
];

/** The wires that were requested in a month. */
export function Wires({ month }: { month: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { id, timezone } = useCompany();
  const query = useQuery(
    trpc.bank.approvals.list.queryOptions({
      company_id: id,
      created_from: dayStart(`${month}-01`, timezone),
      created_to: dayStart(`${monthAfter(month, 1)}-01`, timezone),
      limit: READ,
    }),
  );
  return (
    <Panel title="Wires" flush>
      <Loaded query={query} label="Loading wires" flush>
        {({ data, has_more }) => (
          <>
            <SimpleTable
              label="Wires"
              rows={data}
              columns={wireColumns}
              keyOf={(wire) => wire.id}
              empty={<p className="px-5 pb-4 text-sm text-muted">No wire was requested in {formatMonth(month)}.</p>}
            />
            {has_more && <p className="px-5 py-2 text-xs text-muted">The newest {READ} wires.</p>}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** What the figures have to be read with, as of today: findings have no month. */
export function OpenIssues({ today }: { today: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { id } = useCompany();
  const query = useQuery(trpc.financials.dataQuality.queryOptions({ company_id: id }));
  return (
    <Panel title={`Open issues on ${formatDay(today)}`}>
      <Loaded query={query} label="Loading open issues">
        {(quality) => {
          const open = findingsOf(quality).filter(({ count }) => count > 0);
          if (open.length === 0) return <p className="text-sm text-muted">None.</p>;
          return (
            <ul className="flex flex-col gap-1 text-sm">
              {open.map((finding) => (
                <li key={finding.id}>
                  <Link to="/data-quality" search={{ tab: finding.id }} className="text-accent underline">
                    {finding.title}
                  </Link>
                  : {plural(finding.count, 'issue')}
                  {finding.atLeast && ' or more'}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}
