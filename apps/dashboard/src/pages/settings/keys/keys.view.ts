import { formText } from '../../../components/form.tsx';
import { plural } from '../../../lib/text.ts';
import type { Inputs, Outputs } from '../../../lib/trpc.ts';

export type ApiKey = Outputs['apiKeys']['list']['data'][number];
export type MintInput = Inputs['apiKeys']['create'];
export type Permission = NonNullable<ApiKey['permissions']>[number];

export const permissions: ReadonlyArray<readonly [name: Permission, covers: string]> = [
  ['cash:write', 'Post balances'],
  ['transactions:write', 'Post bank transactions'],
  ['financials:write', 'Post statements, set what is counted'],
  ['connections:write', 'Link, sync and disconnect banks'],
  ['wires:write', 'Record wires'],
  ['approvals:write', 'Decide on approvals'],
  ['companies:write', 'Create, change and dissolve companies'],
  ['filings:write', 'Filings and compliance'],
  ['cases:write', 'Cases and comments'],
  ['directives:write', 'Directives'],
  ['agents:write', 'Agents and their bindings'],
  ['runtime:write', 'Agent actions, flags, snapshots'],
  ['webhooks:write', 'Webhook endpoints'],
  ['events:write', 'Redeliver events, retry deliveries'],
  ['keys:write', 'API keys and sessions'],
];

export const scopes = [
  ['human', 'Human', 'Everything that people do: also keys, endpoints and approvals.'],
  ['read', 'Read', 'Reads everything and changes nothing.'],
  ['agent', 'Agent', 'Acts as one agent, in the companies that it is linked to.'],
] as const;

export function narrowingWords(key: ApiKey): string {
  const { agent_id: agent, company_ids: companies, permissions: may, ip_allowlist: addresses } = key;
  const parts = [
    agent && 'One agent',
    companies && plural(companies.length, 'company', 'companies'),
    may && plural(may.length, 'permission'),
    addresses && plural(addresses.length, 'address', 'addresses'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Whole account' : parts.join(', ');
}

function texts(data: FormData, name: string): string[] {
  return data.getAll(name).filter((value) => typeof value === 'string');
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

function asScope(name: string): MintInput['scope'] {
  return name as MintInput['scope'];
}

/** Reads the form. Without ticked boxes the key has no limits; addresses are separated by line breaks or commas. */
export function mintInput(data: FormData): MintInput {
  const scope = asScope(formText(data, 'scope') ?? '');
  const companies = texts(data, 'company_ids');
  const may = asPermissions(texts(data, 'permissions'));
  const addresses = (formText(data, 'ip_allowlist') ?? '').split(/[\s,]+/).filter(Boolean);
  const days = daysOf(data);
  const agent = formText(data, 'agent_id');
  return {
    name: formText(data, 'name') ?? '',
    scope,
    ...(companies.length > 0 && { company_ids: companies }),
    ...(may.length > 0 && scope !== 'read' && { permissions: may }),
    ...(addresses.length > 0 && { ip_allowlist: addresses }),
    ...(days !== undefined && { expires_in_days: days }),
    ...(scope === 'agent' && agent !== undefined && { agent_id: agent }),
  };
}

export function canRotate({ status, rotated_to: next }: ApiKey): boolean {
  return status === 'active' && next === null;
}
