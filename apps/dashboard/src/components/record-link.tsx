import { Link, type LinkProps } from '@tanstack/react-router';
import { textIn } from '../lib/problem.ts';
import { rowLink } from './table-cells.tsx';

interface RecordLinkProps {
  record: NamedRecord;
  text?: string;
  title?: string;
  /** A press anywhere in the table's row opens the record. */
  opensRow?: boolean;
  /** Closing the record, which opens next to its list, goes back to this page. */
  returns?: boolean;
}

export function RecordLink({
  record,
  text,
  title,
  opensRow = false,
  returns = false,
}: RecordLinkProps): React.JSX.Element {
  const route = routeOf(record);
  const name = text ?? recordName(record);
  const shown = name ?? record.id;
  const style = name === undefined ? 'font-mono text-xs' : '';
  if (!route) return <span className={style}>{shown}</span>;
  return (
    <Link
      {...route}
      {...(returns && { state: { opened: true } })}
      preload={false}
      title={title}
      className={`text-accent underline-offset-2 hover:underline ${opensRow ? rowLink : ''} ${style}`}
    >
      {shown}
    </Link>
  );
}

export function LogLink({ of, text }: { of: string; text: string }): React.JSX.Element {
  return (
    <Link to="/logs" search={{ resource_id: of }} className="text-sm text-accent underline-offset-2 hover:underline">
      {text}
    </Link>
  );
}

export interface NamedRecord {
  id: string;
  companyId?: string | null;
  /** The record as it was stored; ids of its parents are read from it. */
  stored?: unknown;
}

export type Route = Pick<LinkProps, 'to' | 'params' | 'search'>;

type Finder = (record: NamedRecord, company: { company?: string }) => Route | undefined;

const ofAgent =
  (tab: string, opens = false): Finder =>
  ({ id, stored }, company) => {
    const agentId = textIn(stored, 'agent_id');
    if (agentId === undefined) return undefined;
    return { to: '/agents/$agentId', params: { agentId }, search: { ...company, tab, ...(opens && { open: id }) } };
  };

const ofApproval: Finder = ({ id }, company) => ({
  to: '/approvals/$approvalId',
  params: { approvalId: id },
  search: company,
});

/** By the prefix of the id. Kinds without an entry, such as the account, have no page. */
const finders: Readonly<Record<string, Finder>> = {
  co: ({ id }) => ({ to: '/companies/$companyId', params: { companyId: id }, search: { company: id } }),
  agent: ({ id }, company) => ({ to: '/agents/$agentId', params: { agentId: id }, search: company }),
  bind: ofAgent('companies'),
  act: ofAgent('actions', true),
  flag: ofAgent('flags'),
  rts: ofAgent('runtime'),
  aap: ofApproval,
  apr: ofApproval,
  fil: ({ id }, company) => ({ to: '/compliance', search: { ...company, filing: id } }),
  case: ({ id }, company) => ({ to: '/cases/$caseId', params: { caseId: id }, search: company }),
  cmt: ({ stored }, company) => {
    const caseId = textIn(stored, 'case_id');
    return caseId === undefined ? undefined : { to: '/cases/$caseId', params: { caseId }, search: company };
  },
  dir: ({ id }, company) => ({ to: '/directives', search: { ...company, open: id } }),
  conn: ({ id }, company) => ({ to: '/connections/$connectionId', params: { connectionId: id }, search: company }),
  syn: ({ stored }, company) => {
    const connectionId = textIn(stored, 'connection_id');
    return connectionId === undefined
      ? undefined
      : { to: '/connections/$connectionId', params: { connectionId }, search: company };
  },
  bal: ({ id }, company) => ({ to: '/balances', search: { ...company, open: id } }),
  txn: ({ id }, company) => ({ to: '/transactions', search: { ...company, open: id } }),
  ing: (_, company) => ({ to: '/transactions', search: company }),
  fin: ({ id }, company) => ({ to: '/financials', search: { ...company, snapshot: id } }),
  key: ({ id }) => ({ to: '/settings/keys', search: { open: id } }),
  ses: () => ({ to: '/settings/sessions' }),
  we: ({ id }) => ({ to: '/settings/webhooks/$endpointId', params: { endpointId: id } }),
  rpl: ({ stored }) => {
    const endpointId = textIn(stored, 'endpoint_id');
    return endpointId === undefined ? undefined : { to: '/settings/webhooks/$endpointId', params: { endpointId } };
  },
  dlv: ({ id }) => ({ to: '/settings/webhooks', search: { delivery: id } }),
  evt: ({ id }) => ({ to: '/events/$eventId', params: { eventId: id } }),
  req: ({ id }) => ({ to: '/requests', search: { open: id } }),
  aud: ({ id }) => ({ to: '/logs', search: { open: id } }),
};

export function recordName({ id, stored }: NamedRecord): string | undefined {
  return /^(co|agent)_/.test(id) ? textIn(stored, 'name') : undefined;
}

export function prefixOf(id: string): string {
  return id.slice(0, Math.max(id.indexOf('_'), 0));
}

/** True for a complete id, of the kind with this prefix. */
export function isRecordId(text: string, prefix = prefixOf(text)): boolean {
  return /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/.test(text) && prefixOf(text) === prefix;
}

export function routeOf(record: NamedRecord): Route | undefined {
  const prefix = prefixOf(record.id);
  const find = Object.hasOwn(finders, prefix) ? finders[prefix] : undefined;
  return find?.(record, record.companyId == null ? {} : { company: record.companyId });
}
