import { formText } from '../../../components/form.tsx';
import { plural } from '../../../lib/text.ts';
import type { Inputs, Outputs } from '../../../lib/trpc.ts';

export type ApiKey = Outputs['apiKeys']['list']['data'][number];
export type KeyInput = Inputs['apiKeys']['create'];
export type Permission = NonNullable<ApiKey['permissions']>[number];

export const permissions: ReadonlyArray<readonly [name: Permission, text: string]> = [
  ['cash:write', 'Post balances'],
  ['transactions:write', 'Post bank transactions'],
  ['financials:write', 'Post statements, edit exclusions'],
  ['connections:write', 'Link, sync and disconnect banks'],
  ['wires:write', 'Record wires'],
  ['approvals:write', 'Approve and reject requests'],
  ['companies:write', 'Create, edit and dissolve companies'],
  ['filings:write', 'Filings and obligations'],
  ['cases:write', 'Cases and comments'],
  ['directives:write', 'Directives'],
  ['agents:write', 'Agents and their companies'],
  ['runtime:write', 'Agent actions, flags, snapshots'],
  ['webhooks:write', 'Webhook endpoints'],
  ['events:write', 'Redeliver events, retry deliveries'],
  ['keys:write', 'API keys and sessions'],
];

export const scopes = [
  ['human', 'Human', 'Full access, including API keys, endpoints and approvals.'],
  ['read', 'Read', 'Read-only access.'],
  ['agent', 'Agent', 'Acts as one agent, in the companies the agent is assigned to.'],
  ['ingest', 'For a provider', 'Only posts balances, transactions and statements. Reads nothing and can’t sign in.'],
] as const;

export function scopeLabel(scope: ApiKey['scope']): string {
  return scopes.find(([name]) => name === scope)?.[1] ?? scope;
}

const ingestPermissions: ReadonlySet<Permission> = new Set(['cash:write', 'transactions:write', 'financials:write']);

/** What a key of a scope may do at most. */
export function offeredPermissions(scope: KeyInput['scope']): typeof permissions {
  return scope === 'ingest' ? permissions.filter(([name]) => ingestPermissions.has(name)) : permissions;
}

export function accessSummary(key: ApiKey): string {
  const { agent_id: agent, company_ids: companies, permissions: may, ip_allowlist: addresses } = key;
  const { connection_ids: connections, sources } = key;
  const parts = [
    agent && 'One agent',
    companies && plural(companies.length, 'company', 'companies'),
    connections && plural(connections.length, 'connection'),
    sources && plural(sources.length, 'source'),
    may && plural(may.length, 'permission'),
    addresses && plural(addresses.length, 'IP address', 'IP addresses'),
  ].filter((part) => part !== null);
  if (parts.length > 0) return parts.join(', ');
  return key.scope === 'ingest' ? 'All companies' : 'Unrestricted';
}

function texts(data: FormData, name: string): string[] {
  return data.getAll(name).filter((value) => typeof value === 'string');
}

/** A connection or source may contain spaces and commas. */
function lines(data: FormData, name: string): string[] {
  return (formText(data, name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function daysOf(data: FormData): number | undefined {
  const days = formText(data, 'expires_in_days');
  if (days === undefined) return undefined;
  const count = Number(days === 'other' ? formText(data, 'days') : days);
  // 0 makes the service reject the input. NaN becomes null in JSON, and the key would never expire.
  return Number.isFinite(count) ? count : 0;
}

function asPermissions(names: string[]): Permission[] {
  return names as Permission[];
}

function asScope(name: string): KeyInput['scope'] {
  return name as KeyInput['scope'];
}

/** Reads the form. Without a selection the key is not restricted. IP addresses are separated by line breaks or commas. */
export function keyInput(data: FormData): KeyInput {
  const scope = asScope(formText(data, 'scope') ?? '');
  const companies = texts(data, 'company_ids');
  const may = asPermissions(texts(data, 'permissions'));
  const addresses = (formText(data, 'ip_allowlist') ?? '').split(/[\s,]+/).filter(Boolean);
  const days = daysOf(data);
  const connections = lines(data, 'connection_ids');
  const sources = lines(data, 'sources');
  const agent = formText(data, 'agent_id');
  return {
    name: formText(data, 'name') ?? '',
    scope,
    ...(companies.length > 0 && { company_ids: companies }),
    ...(may.length > 0 && scope !== 'read' && { permissions: may }),
    ...(addresses.length > 0 && { ip_allowlist: addresses }),
    ...(days !== undefined && { expires_in_days: days }),
    ...(connections.length > 0 && { connection_ids: connections }),
    ...(sources.length > 0 && { sources }),
    ...(scope === 'agent' && agent !== undefined && { agent_id: agent }),
  };
}

type PushKey = Pick<ApiKey, 'company_ids' | 'connection_ids' | 'sources' | 'permissions'>;

/** A curl command for each ingest endpoint that the key may call, which tries the request and stores nothing. */
export function pushCommands(
  { company_ids, connection_ids, sources, permissions: may }: PushKey,
  origin: string,
  anyCompany: string | undefined,
): { label: string; text: string }[] {
  const company = company_ids?.[0] ?? anyCompany ?? 'COMPANY_ID';
  const connection_id = connection_ids?.[0] ?? 'operating';
  const source = sources?.[0] ?? 'provider';
  const day = '2026-03-02';
  const commands = [
    {
      permission: 'cash:write',
      label: 'Post a balance',
      path: 'cash/balances',
      body: { as_of: day, balance_cents: 41_250_000, currency: 'USD', source, connection_id },
    },
    {
      permission: 'transactions:write',
      label: 'Post transactions',
      path: 'bank/transactions',
      body: {
        transactions: [
          {
            external_id: 'bank-7781',
            posted_at: `${day}T14:05:00Z`,
            amount_cents: -12_500,
            currency: 'USD',
            description: 'Cloud hosting',
            source,
            connection_id,
          },
        ],
      },
    },
    {
      permission: 'financials:write',
      label: 'Post a statement',
      path: 'financials/snapshots',
      body: {
        statement_type: 'income',
        period_start: '2026-02-01',
        period_end: '2026-02-28',
        currency: 'USD',
        totals: { revenue: 9_000_000, net_income: 1_200_000 },
        source,
      },
    },
  ] as const;
  return commands
    .filter(({ permission }) => may?.includes(permission) !== false)
    .map(({ label, path, body }) => ({
      label,
      text: [
        `curl "${origin}/api/v1/companies/${company}/${path}?dry_run=true" \\`,
        '  -H "Authorization: Bearer $FINHOOK_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d ${shellQuoted(JSON.stringify(body))}`,
      ].join('\n'),
    }));
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
