import { useOpened } from '@finhook/testing/use';
import { inject } from 'vitest';
import type { MoveStep } from '../src/modules/accounts/move/move-account.ts';
import { announceProcess } from '../src/modules/processes/service-processes.ts';
import type { Context } from '../src/verbs/context.ts';
import { newEndpoint } from './attempt-of.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { processReport } from './process-report.ts';

/** Two cells with an account in the first, which has an endpoint. The second is `eu`. */
export interface TwoCells {
  source: CoreFixture;
  target: CoreFixture;
  /** Context of the account in the first cell. */
  context: Context;
  endpointId: string;
}

/** Empties a cell; the schema and its migrations stay. */
export async function emptyCell({ core }: Pick<CoreFixture, 'core'>): Promise<void> {
  await core.database.owner.query(`
    SET session_replication_role = replica;
    DO $$ DECLARE t text; BEGIN
      FOR t IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND NOT relispartition AND relname <> 'mikro_orm_migrations'
      LOOP EXECUTE format('DELETE FROM %I', t); END LOOP;
    END $$;
    RESET session_replication_role`);
}

/** Two cells for the tests of a file, reset before each test. */
export function useTwoCells(): { begin(): Promise<TwoCells> } {
  const open = async () => {
    const [source, target] = await Promise.all([openFixture(inject('pgUrl')), openFixture(inject('pgUrl'))]);
    return { source, target };
  };
  const cells = useOpened(open, ({ source, target }) => Promise.all([source.close(), target.close()]));
  return {
    begin: async () => {
      await Promise.all([emptyCell(cells.source), emptyCell(cells.target)]);
      const source = { ...cells.source, ...(await cells.source.otherAccount()) };
      const endpointId = await newEndpoint(source.context);
      await announceProcess(source.core, processReport);
      await announceProcess({ ...cells.target.core, cell: 'eu' }, processReport);
      return { source, target: cells.target, context: source.context, endpointId };
    },
  };
}

/** Options of `moveAccount` and `cancelMove` for a move to the second cell. */
export function moveBetween({ source, target, context }: Pick<TwoCells, 'source' | 'target' | 'context'>) {
  return {
    accountId: context.accountId,
    toCell: 'eu',
    fromUrl: source.database.url,
    toUrl: target.database.url,
    // Nothing caches the account's keys here.
    noticeMs: 10,
  };
}

/** The connections of a move, in `pg_stat_activity`. */
export const ofMove = "datname = current_database() AND application_name = ''";

/** Ends a move's connection to a cell, like a failure of its server. */
export const terminate = ({ core }: Pick<CoreFixture, 'core'>) =>
  core.database.owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofMove}`);

/** Ends a move at a step, like a kill. */
export const stopAt = (at: MoveStep) => (step: MoveStep) => {
  if (step === at) throw new Error(`Stopped at ${at}.`);
};

/** States of the move in the first and in the second cell. */
export async function moveStates({
  source,
  target,
  context,
}: Pick<TwoCells, 'source' | 'target' | 'context'>): Promise<(string | undefined)[]> {
  const sql = 'SELECT state FROM account_move WHERE account_id = $1';
  const read = async ({ core }: CoreFixture) =>
    (await core.database.query<{ state: string }>(sql, [context.accountId]))[0]?.state;
  return [await read(source), await read(target)];
}
