import { Migration } from '@mikro-orm/migrations';
import type { MigrationList } from '../migrate-database.ts';
import { AccountSequence } from './0042-account-sequence.ts';
import { AttemptAccount } from './0043-attempt-account.ts';
import { IngestKeys } from './0044-ingest-keys.ts';
import { DeviceLogin } from './0045-device-login.ts';
import { RequestLog } from './0046-request-log.ts';
import { AccountMove } from './0047-account-move.ts';
import { ThinEvents } from './0051-thin-events.ts';
import { IdempotencyScope } from './0054-idempotency-scope.ts';
import { DatabaseIdentity } from './0058-database-identity.ts';
import { SecretsKeys } from './0064-secrets-keys.ts';
import { FlowClasses } from './0066-flow-classes.ts';
import { AccountTypes } from './0067-account-types.ts';
import { FxRates } from './0068-fx-rates.ts';
import { RowsPutRight } from './0069-rows-put-right.ts';
import { StoredFunctions } from './0070-stored-functions.ts';
import { OwnCategory } from './0072-own-category.ts';
import { accounts } from './baseline/accounts.ts';
import { agentRuntime, agents } from './baseline/agents.ts';
import { audit } from './baseline/audit.ts';
import { bank } from './baseline/bank.ts';
import { cases } from './baseline/cases.ts';
import { companies } from './baseline/companies.ts';
import { deliveries } from './baseline/deliveries.ts';
import { events } from './baseline/events.ts';
import { filings } from './baseline/filings.ts';
import { financials } from './baseline/financials.ts';
import { processes } from './baseline/processes.ts';
import { webhooks } from './baseline/webhooks.ts';
import {
  AttemptCause,
  AttemptDisposition,
  MoveCopying,
  MoveReport,
  OptionDecisions,
  ProcessCell,
  ReservedConnections,
  WaitingApprovals,
} from './small-changes.ts';

const encoding = `
DO $$ BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RAISE EXCEPTION 'finhook needs a database with encoding UTF8';
  END IF;
END $$`;

/** The schema without row-level security, which `secureTables` adds after the migrations. */
class Baseline extends Migration {
  override up(): void {
    this.addSql(encoding);
    // Tables follow those they reference.
    const areas = [accounts, companies, bank, financials, agents, cases, agentRuntime, filings];
    for (const area of [...areas, webhooks, events, deliveries, audit, processes]) this.addSql(area);
  }
}

/** All migrations in order. None is ever edited. Databases of version 0.2.0 record the baseline without running it. */
export const migrations: MigrationList = [
  { name: '0041-baseline', class: Baseline, replaces: { last: '0040-approval-requesters', version: '0.2.0' } },
  { name: '0042-account-sequence', class: AccountSequence },
  { name: '0043-attempt-account', class: AttemptAccount },
  { name: '0044-ingest-keys', class: IngestKeys },
  { name: '0045-device-login', class: DeviceLogin },
  { name: '0046-request-log', class: RequestLog },
  { name: '0047-account-move', class: AccountMove },
  { name: '0048-process-cell', class: ProcessCell },
  { name: '0049-attempt-cause', class: AttemptCause },
  { name: '0050-attempt-disposition', class: AttemptDisposition },
  { name: '0051-thin-events', class: ThinEvents },
  { name: '0054-idempotency-scope', class: IdempotencyScope },
  { name: '0055-option-decisions', class: OptionDecisions },
  { name: '0056-reserved-connections', class: ReservedConnections },
  { name: '0058-database-identity', class: DatabaseIdentity },
  { name: '0060-move-report', class: MoveReport },
  { name: '0064-secrets-keys', class: SecretsKeys },
  { name: '0065-move-copying', class: MoveCopying },
  { name: '0066-flow-classes', class: FlowClasses },
  { name: '0067-account-types', class: AccountTypes },
  { name: '0068-fx-rates', class: FxRates },
  { name: '0069-rows-put-right', class: RowsPutRight },
  { name: '0070-stored-functions', class: StoredFunctions },
  { name: '0071-waiting-approvals', class: WaitingApprovals },
  { name: '0072-own-category', class: OwnCategory },
];
