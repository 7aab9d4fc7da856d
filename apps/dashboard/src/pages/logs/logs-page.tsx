import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { Badge } from '../../components/badge.tsx';
import { CompanyChoice } from '../../components/company-choice.tsx';
import { DateField } from '../../components/date-field.tsx';
import { FilterText } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { isRecordId, prefixOf, RecordLink, routeOf } from '../../components/record-link.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { TWO_LINES, TwoLines } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago, Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { loggedActions } from '../../operation/operations.catalogue.ts';
import { OpenLink, ResourceList } from '../../operation/resource-list.tsx';
import { LogDetails } from './log-details.tsx';
import { deliveryText, type LogRow, logFilters, refetchDelay, sumOf } from './logs.view.ts';

export function LogsPage(): React.JSX.Element {
  const zone = useZone();
  const { nameOf } = useCompanies();
  return (
    <Page title="Activity log" intro="Every change in your account, who made it, and the resulting webhook deliveries.">
      <ResourceList
        list="activity.list"
        title="All entries"
        noun="log entries"
        fixed={{}}
        filters={{
          type: { label: 'Event type' },
          action: { slot: (field) => <ActionFilter {...field} /> },
          log_company: { slot: (field) => <CompanyChoice {...field} /> },
          actor_type: { label: 'Actor' },
          actor_id: { label: 'Actor ID', placeholder: 'key_…' },
          resource_id: { slot: (field) => <RecordFilter {...field} /> },
          from: { slot: (field) => <DateField label="From" {...field} /> },
          to: { slot: (field) => <DateField label="To" {...field} /> },
        }}
        toQuery={(search) => logFilters(search, zone)}
        refetchInterval={(rows) => refetchDelay(rows, Date.now())}
        columns={columnsOf(nameOf)}
        rowHeight={TWO_LINES}
        exports
        empty={{ title: 'No activity yet', text: 'Changes in your account appear here.' }}
        detail={(id, close) => <LogDetails id={id} onClose={close} />}
      />
    </Page>
  );
}

interface FilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function ActionFilter(field: FilterProps): React.JSX.Element {
  const suggestions = useId();
  return (
    <>
      <FilterText label="Action" list={suggestions} placeholder="companies.update" {...field} />
      <datalist id={suggestions}>
        {loggedActions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
    </>
  );
}

/** Ids that no entry is about: they open the page of what they name. */
const opened = ['evt', 'dlv', 'req', 'aud'];

function RecordFilter({ value, onChange }: FilterProps): React.JSX.Element {
  const navigate = useNavigate();
  const change = (text: string | undefined): void => {
    const id = text?.trim();
    const route = id !== undefined && isRecordId(id) && opened.includes(prefixOf(id)) ? routeOf({ id }) : undefined;
    if (route) void navigate(route);
    else onChange(id);
  };
  return <FilterText label="Record ID" placeholder="co_… or evt_…" value={value} onChange={change} />;
}

function columnsOf(nameOf: (companyId: string) => string): readonly Column<LogRow>[] {
  return [
    {
      title: 'Time',
      grow: 1.4,
      nowrap: true,
      cell: ({ created_at: at }) => (
        <TwoLines
          top={
            <span className="text-xs md:text-sm">
              <Ago at={at} />
            </span>
          }
          below={
            <span className="hidden md:inline">
              <Instant at={at} seconds />
            </span>
          }
        />
      ),
    },
    {
      title: 'Action and event',
      grow: 1.9,
      cell: (row) => (
        <TwoLines
          top={
            <OpenLink id={row.id} title={row.action}>
              {row.action}
            </OpenLink>
          }
          below={<EventLinks row={row} />}
        />
      ),
    },
    {
      title: 'Actor and request',
      grow: 1.4,
      wide: true,
      cell: ({ actor, request_id }) => (
        <TwoLines
          top={<span title={`${actor.type} ${actor.id}`}>{actorName(actor)}</span>}
          below={<code title={request_id}>{request_id}</code>}
        />
      ),
    },
    {
      title: 'Record and company',
      grow: 1.4,
      wide: true,
      cell: ({ resource_id: id, company_id: companyId, after, before }) => (
        <TwoLines
          top={<RecordLink record={{ id, companyId, stored: after ?? before }} />}
          below={companyId === null ? 'Account' : <RecordLink record={{ id: companyId }} text={nameOf(companyId)} />}
        />
      ),
    },
    { title: 'Deliveries', nowrap: true, cell: (row) => <DeliveryCell row={row} /> },
  ];
}

function EventLinks({ row }: { row: LogRow }): React.JSX.Element {
  const [first, ...others] = row.events;
  if (!first) return <>No event</>;
  return (
    <span title={row.events.map(({ type }) => type).join(', ')}>
      <RecordLink record={{ id: first.id }} text={first.type} />
      {others.length > 0 && ` +${others.length}`}
    </span>
  );
}

function DeliveryCell({ row }: { row: LogRow }): React.JSX.Element {
  if (row.events.length === 0) return <span className="text-muted">–</span>;
  const { text, tone } = deliveryText(sumOf(row.events));
  const [first = '', ...rest] = text.split(', ');
  return (
    <div title={text}>
      <Badge tone={tone}>{first}</Badge>
      {rest.length > 0 && <div className="truncate px-2 text-xs text-muted">{rest.join(', ')}</div>}
    </div>
  );
}
