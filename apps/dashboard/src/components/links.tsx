import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type NamedConnection, UNASSIGNED } from '../lib/connection-names.ts';
import { useTRPC } from '../lib/trpc.ts';
import { ActionMenu } from './menu.tsx';
import { rowLink } from './table-cells.tsx';
import type { Column } from './table-head.tsx';

export function AgentName({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.agents.get.queryOptions({ agent_id: id }));
  return (
    <Link to="/agents/$agentId" params={{ agentId: id }} title={id} className="text-accent underline">
      {data?.name ?? id}
    </Link>
  );
}

export interface ConnectionNameProps {
  id: string | null;
  names: ReadonlyMap<string, NamedConnection>;
  /** A press anywhere in the table's row opens the account. */
  opensRow?: boolean;
}

export function ConnectionName({ id, names, opensRow = false }: ConnectionNameProps): React.JSX.Element {
  if (id === null) return <span className="text-muted">{UNASSIGNED}</span>;
  const known = names.get(id);
  if (known?.registered !== true) return <span title={id}>{id}</span>;
  return (
    <Link
      to="/connections/$connectionId"
      params={{ connectionId: id }}
      title={id}
      className={`${opensRow ? rowLink : ''} text-accent hover:underline`}
    >
      {known.name}
    </Link>
  );
}

export function connectionColumn<Row extends { connection_id: string | null }>(
  names: ReadonlyMap<string, NamedConnection>,
  { opensRow = false, ...layout }: Pick<Column<Row>, 'grow' | 'wide'> & { opensRow?: boolean } = {},
): Column<Row> {
  return {
    title: 'Account',
    ...layout,
    cell: ({ connection_id }) => <ConnectionName id={connection_id} names={names} opensRow={opensRow} />,
  };
}

function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

export function ExternalLink({ href, children }: { href: string; children: ReactNode }): React.JSX.Element {
  if (!isWebAddress(href)) return <span className="wrap-anywhere">{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className="text-accent underline wrap-anywhere">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

export interface ExportMenuProps {
  path: string;
  input: Readonly<Record<string, unknown>>;
  what: string;
  /** The list has a file for people, too. */
  spreadsheet?: boolean;
}

const rawFormats = [
  ['Raw CSV', 'csv'],
  ['NDJSON', 'ndjson'],
] as const;

export function ExportMenu({ path, input, what, spreadsheet = false }: ExportMenuProps): React.JSX.Element {
  const set = Object.entries(input).flatMap(([name, value]) =>
    path.includes(`{${name}}`)
      ? []
      : [value]
          .flat()
          .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
          .map((one) => [name, String(one)]),
  );
  const address = `/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input[name]))}`;
  const formats = [...(spreadsheet ? [['CSV for Excel', 'spreadsheet'] as const] : []), ...rawFormats];
  return (
    <ActionMenu
      label={`Export ${what}`}
      items={formats.map(([label, format]) => ({
        label,
        href: `${address}?${new URLSearchParams([['format', format], ...set]).toString()}`,
      }))}
    >
      Export
    </ActionMenu>
  );
}
