import type { AnyEventType } from '@finhook/contracts';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import { emit, type NewEvent } from './emit.ts';
import type { Work } from './transaction.ts';

/** Of a record: what a change of it is filed under. */
type Changed = Readonly<Record<string, unknown>> & {
  readonly id?: string;
  readonly company_id?: string | null;
};

interface Change<T extends AnyEventType> {
  /** The operation or job that made it, for example `companies.create`. */
  action: string;
  /** The record before; absent for one that is new. */
  before?: Changed | undefined;
  /** The record after; absent for one that is gone. */
  after?: Changed | undefined;
  /** Default: the record's `id`. */
  resourceId?: string;
  /** Default: the record's `company_id`. Null for none, where that field of the record means something else. */
  companyId?: string | null | undefined;
  /** Its company is that of the change. */
  event?: Omit<NewEvent<T>, 'companyId'> | undefined;
}

/**
 * Writes the audit row of a change and emits its event, in the caller's transaction. The caller returns before it where
 * nothing changed: a change of what no record shows, like a secret, is one too.
 */
export async function recordChange<T extends AnyEventType>(
  tx: Work,
  context: Context,
  { action, before, after, event, ...given }: Change<T>,
): Promise<void> {
  const { id, company_id } = after ?? before ?? {};
  const companyId = (given.companyId === undefined ? company_id : given.companyId) ?? undefined;
  const resourceId = given.resourceId ?? id;
  if (resourceId === undefined) throw new Error(`The change ${action} names no record.`);
  await audit(tx, context, { action, ...(companyId === undefined ? {} : { companyId }), resourceId, before, after });
  if (event) await emit(tx, context, { ...event, ...(companyId === undefined ? {} : { companyId }) });
}
