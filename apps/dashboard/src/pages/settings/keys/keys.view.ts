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
] as const;

export function accessSummary(key: ApiKey): string {
  const { agent_id: agent, company_ids: companies, permissions: may, ip_allowlist: addresses } = key;
  const parts = [
    agent && 'One agent',
    companies && plural(companies.length, 'company', 'companies'),
    may && plural(may.length, 'permission'),
    addresses && plural(addresses.length, 'IP address', 'IP addresses'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'Unrestricted' : parts.join(', ');
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
