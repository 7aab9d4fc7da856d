import { agentEventTypes, type Permission, type Scope } from '@finhook/contracts';
import type { Filters } from '../lists/keyset.ts';
import { companyNotFound, notFound } from '../verbs/domain-error.ts';

/** The records that a key may see and change inside its account (decision D54). */
export interface Access {
  /** Companies that it may access; undefined means all. For a key of an agent: those the agent is attached to. */
  companyIds?: readonly string[] | undefined;
  /** Write permissions; undefined means everything that its scope allows. */
  permissions?: readonly Permission[] | undefined;
  agentId?: string | undefined;
  /** Set for a key of scope `ingest` only. */
  ingest?: IngestAccess | undefined;
  /** Allowed addresses and CIDR ranges; undefined means any. Checked during authentication. */
  ipAllowlist?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
}

export interface IngestAccess {
  /** The first key of its chain of rotations, which owns what the chain posts. */
  originId: string;
  /** Undefined means any. */
  connectionIds?: readonly string[] | undefined;
  sources?: readonly string[] | undefined;
}

interface Caller {
  readonly access: Access;
}

interface Reader extends Caller {
  readonly scope: Scope;
}

export const fullAccess: Access = {};

/** Without access, a company is reported as unknown (S3). */
export function hasCompanyAccess({ access }: Caller, companyId: string): boolean {
  return access.companyIds === undefined || access.companyIds.includes(companyId);
}

/** @throws `company_not_found`, as for an unknown id */
export function assertCompanyAccess(caller: Caller, companyId: string): void {
  if (!hasCompanyAccess(caller, companyId)) throw companyNotFound();
}

/** Returns the record. @throws `not_found` if it is missing or the caller has no access to its company */
export function assertAccessible<T extends { companyId: string } | { company_id: string }>(
  caller: Caller,
  found: T | null | undefined,
  what: string,
): T {
  if (!found || !hasCompanyAccess(caller, 'companyId' in found ? found.companyId : found.company_id))
    throw notFound(what);
  return found;
}

/** The parameter of `companyAccessSql`: the companies that the caller may access; null means all. */
export function accessibleCompanies({ access }: Caller): readonly string[] | null {
  return access.companyIds ?? null;
}

/**
 * SQL: true if a row's company is in the parameter `companies`, like `$3`, or if that is null. Rows without a company
 * need access to the whole account.
 */
export function companyAccessSql(companies: string, company = 'company_id'): string {
  return `(${companies}::text[] IS NULL OR ${company} = ANY (${companies}::text[]))`;
}

/** Internal records are hidden from keys of scope `read`, which may be given to third parties. */
export function readsInternal({ scope }: Pick<Reader, 'scope'>): boolean {
  return scope !== 'read';
}

/** Restricts a list to the caller's companies, and excludes rows without a company for a restricted caller. */
export function filterByCompanyAccess(filters: Filters, { access }: Caller, column: string): void {
  filters.where(access.companyIds, `${column} = ANY (?::text[])`);
}

export function ownAgent({ scope, access }: Reader): string | null {
  return scope === 'agent' ? (access.agentId ?? '') : null;
}

const AGENT_TYPES = agentEventTypes.map((type) => `'${type}'`).join(', ');

/**
 * SQL that excludes rows of `event` about other agents than the parameter `agent` (`ownAgent`); all rows where it is
 * null (S7). Reads the bodies of events about agents only.
 */
function ofNoOtherAgent(agent: string): string {
  const field = (name: string): string => `event_document(body) #>> '{data,${name}}'`;
  return `(${agent} IS NULL OR type NOT IN (${AGENT_TYPES}) OR coalesce(${field('agent_id')}, ${field('id')}) = ${agent})`;
}

/** The values of `readableEventSql`'s parameters. */
export function readerOf(caller: Reader): [readsInternal: boolean, agent: string | null] {
  return [readsInternal(caller), ownAgent(caller)];
}

/**
 * SQL for rows of `event` that a caller with access to their company may read: internal ones need more than scope
 * `read`, and an agent reads none about other agents. `first` is the number of the first parameter of `readerOf`.
 */
export function readableEventSql(first: number): string {
  return `(($${first} OR NOT internal) AND ${ofNoOtherAgent(`$${first + 1}::text`)})`;
}

/**
 * Restricts a list of rows of `event` to those that the caller may read; company and account are filtered elsewhere.
 */
export function filterReadable(filters: Filters, caller: Reader): void {
  if (!readsInternal(caller)) filters.add('NOT internal');
  filters.where(ownAgent(caller), ofNoOtherAgent('?::text'));
}
