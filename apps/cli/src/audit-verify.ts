import {
  type AuditMismatch,
  type AuditReport,
  type Core,
  retentionCutoff,
  type SealHead,
  verifyAuditLog,
} from '@finhook/core';
import type { EnvSource } from '@finhook/runtime';
import { ExpectedError, readOptions, runProgram } from './command.ts';
import { readLocalEnv } from './env.ts';
import { withCoreToRead } from './with-core.ts';

const usage = 'audit:verify [--head <sequence>:<hash>] [--from-seal <sequence>]';
const options = { head: { type: 'string' }, 'from-seal': { type: 'string', default: '1' } } as const;

interface Options {
  head: SealHead | undefined;
  fromSeal: number;
}

function readSequence(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Error(`"${text}" is not the number of a seal`);
  return Number(text);
}

function readHead(text: string | undefined): SealHead | undefined {
  if (text === undefined) return undefined;
  const [sequence = '', hash = ''] = text.split(':');
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error(`"${text}" is not a seal as this program prints it`);
  return { sequence: readSequence(sequence), hash };
}

function describeDamage({ kind, rowId, sequence }: AuditMismatch): string {
  const what = rowId === undefined ? `Seal ${sequence} itself` : `The row ${rowId} (seal ${sequence})`;
  const how = { altered: 'was altered', removed: 'was removed', inserted: 'was inserted later' }[kind];
  return `${what} ${how}. Everything sealed before it is as it was written.`;
}

/** A restored database continues with another chain, so an earlier head differs or is missing. */
function describeHead(mismatch: AuditMismatch, noted: SealHead | undefined): string {
  if (noted === undefined || mismatch.rowId !== undefined || mismatch.sequence > noted.sequence) return '';
  return (
    ' If the database was restored to an earlier state after this head was noted, the head is void: run the tool without ' +
    '--head, and note the seal that it prints.'
  );
}

function describeReport(report: AuditReport, noted: SealHead | undefined): string {
  const { seals, rows, compared, unsealed, expired, head, mismatch } = report;
  if (mismatch) {
    const damage = describeDamage(mismatch) + describeHead(mismatch, noted);
    return `DAMAGED: ${damage} Compare with a backup before anything else is changed.`;
  }
  const newer = unsealed === 0 ? '' : ` ${unsealed} newer ${unsealed === 1 ? 'row is' : 'rows are'} not sealed yet.`;
  if (!head) return `Nothing is sealed yet: the worker does it once a minute.${newer}`;
  const gone = expired === 0 ? '' : ` ${expired} of them are older than the log is kept, and gone.`;
  const passed = seals - compared.seals;
  const chained =
    passed === 0 ? '' : ` ${rows - compared.rows} rows under the ${passed} seals before were not compared.`;
  return `Intact: ${compared.rows} rows under ${compared.seals} seals.${chained}${gone}${newer}
The last seal is ${head.sequence}:${head.hash}
Keep it outside the database and pass it as --head next time: it detects a chain that was created again.`;
}

/** Verifying must not change the database, so it runs no migrations. */
async function assertMigrated(core: Core): Promise<void> {
  const { pendingMigrations, missingPrivilege } = await core.database.state();
  if (missingPrivilege !== undefined) {
    throw new ExpectedError(
      `The user of DATABASE_URL lacks a privilege: ${missingPrivilege}. Nothing was compared, and nothing changed. Name the ` +
        'user of the service, or let an administrator grant it: GRANT finhook_system, finhook_tenant TO the user.',
    );
  }
  const { length } = pendingMigrations;
  if (length === 0) return;
  throw new ExpectedError(
    `${length} migrations of this version have not run on the database: nothing was compared, and nothing changed. ` +
      'Run the program of the version that the service has, or start an api of this one first.',
  );
}

async function verify(core: Core, asked: Options, auditDays: number): Promise<AuditReport> {
  await assertMigrated(core);
  const report = await verifyAuditLog(core, {
    ...asked,
    expiredBefore: retentionCutoff(core.clock.now(), auditDays),
  });
  const { mismatch, seals } = report;
  if (mismatch || asked.fromSeal <= Math.max(1, seals)) return report;
  throw new ExpectedError(
    `There is no seal ${asked.fromSeal}, the last is ${seals}: nothing was compared. Usage: ${usage}`,
  );
}

export async function auditVerify(
  args: readonly string[],
  source?: EnvSource,
): Promise<{ text: string; isIntact: boolean }> {
  const asked = readOptions(usage, options, args, (values) => ({
    head: readHead(values.head),
    fromSeal: readSequence(values['from-seal']),
  }));
  const env = readLocalEnv(source);
  const report = await withCoreToRead(env, (core) => verify(core, asked, env.AUDIT_RETENTION_DAYS));
  return { text: describeReport(report, asked.head), isIntact: report.mismatch === undefined };
}

if (import.meta.main) {
  await runProgram(async (args) => {
    const { text, isIntact } = await auditVerify(args);
    process.exitCode = isIntact ? 0 : 1;
    return text;
  });
}
