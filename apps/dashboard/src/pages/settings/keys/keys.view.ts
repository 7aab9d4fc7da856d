import { formText } from '../../../components/form.tsx';
import { plural } from '../../../lib/text.ts';
import type { Inputs, Outputs } from '../../../lib/trpc.ts';
import type { ParsedValue } from '../../../operation/field-values.ts';

export type ApiKey = Outputs['apiKeys']['list']['data'][number];
export type KeyInput = Inputs['apiKeys']['create'];
export type Permission = NonNullable<ApiKey['permissions']>[number];

export const permissions: ReadonlyArray<readonly [name: Permission, text: string]> = [
  ['cash:write', 'Post balances'],
  ['transactions:write', 'Post bank transactions'],
  ['financials:write', 'Post statements, edit exclusions'],
  ['connections:write', 'Connect, sync and disconnect banks'],
  ['wires:write', 'Record wires'],
  ['approvals:write', 'Approve and deny requests'],
  ['companies:write', 'Create, edit and dissolve companies'],
  ['filings:write', 'Filings and obligations'],
  ['cases:write', 'Cases and comments'],
  ['directives:write', 'Directives'],
  ['agents:write', 'Agents and their companies'],
  ['runtime:write', 'Agent actions, flags, checkpoints'],
  ['webhooks:write', 'Webhook endpoints'],
  ['events:write', 'Redeliver events, retry deliveries'],
  ['keys:write', 'API keys and sessions'],
];

export const scopes = [
  ['human', 'Human', 'Full access, including API keys, endpoints and approvals.'],
  ['read', 'Read', 'Read-only access.'],
  ['agent', 'Agent', 'Acts as one agent, in the companies the agent is attached to.'],
  ['ingest', 'Ingest only', 'Only posts balances, transactions and statements. Reads nothing and can’t sign in.'],
] as const;

export function scopeLabel(scope: ApiKey['scope']): string {
  return scopes.find(([name]) => name === scope)?.[1] ?? scope;
}

const ingestPermissions: ReadonlySet<Permission> = new Set(['cash:write', 'transactions:write', 'financials:write']);

export function offeredPermissions(scope: KeyInput['scope']): typeof permissions {
  return scope === 'ingest' ? permissions.filter(([name]) => ingestPermissions.has(name)) : permissions;
}

export function accessSummary(key: ApiKey): string {
  const { agent_id: agent, company_ids: companies, permissions: may, ip_allowlist: addresses } = key;
  const { connection_ids: connections, sources } = key;
  const parts = [
    agent && 'One agent',
    companies && plural(companies.length, 'company', 'companies'),
    connections && plural(connections.length, 'account'),
    sources && plural(sources.length, 'source'),
    may && plural(may.length, 'permission'),
    addresses && plural(addresses.length, 'IP address', 'IP addresses'),
  ].filter((part) => part !== null);
  if (parts.length > 0) return parts.join(', ');
  return key.scope === 'ingest' ? 'All companies' : 'Unrestricted';
}

export function readDays(data: FormData): ParsedValue {
  const choice = formText(data, 'expires_in_days');
  if (choice === undefined) return { value: undefined };
  const days = Number(choice === 'other' ? formText(data, 'days') : choice);
  // 0 makes the service reject the input. NaN becomes null in JSON, and the key would never expire.
  return { value: Number.isFinite(days) ? days : 0 };
}

export function readChecked(data: FormData, name: string): ParsedValue {
  const checked = data.getAll(name);
  return { value: checked.length === 0 ? undefined : checked };
}

export function readAddresses(data: FormData): ParsedValue {
  return {
    value: formText(data, 'ip_allowlist')
      ?.split(/[\s,]+/)
      .filter(Boolean),
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
