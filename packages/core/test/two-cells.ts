import type { Context } from '../src/kernel/context.ts';
import type { MoveStep } from '../src/modules/accounts/move/move-account.ts';
import { announceProcess } from '../src/modules/processes/service-processes.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { processReport } from './process-report.ts';

/** Two cells with an account in the first, which has an endpoint. The second is `eu`. */
export interface TwoCells {
  source: CoreFixture;
  target: CoreFixture;
  /** Of the account in the first. */
  context: Context;
  endpointId: string;
}

export async function openTwoCells(pgUrl: string): Promise<TwoCells> {
  const [source, target] = await Promise.all([openFixture(pgUrl), openFixture(pgUrl)]);
  const { context } = source;
  const { id: endpointId } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  await announceProcess(source.core, processReport);
  await announceProcess({ ...target.core, cell: 'eu' }, processReport);
  return { source, target, context, endpointId };
}

/** A move of the account to the second cell, as `moveAccount` and `cancelMove` take it. */
export function moveBetween({ source, target, context }: Pick<TwoCells, 'source' | 'target' | 'context'>) {
  return {
    accountId: context.accountId,
    toCell: 'eu',
    fromUrl: source.database.url,
    toUrl: target.database.url,
  };
}

/** Ends a move at a step as a kill does. */
export const stopAt = (at: MoveStep) => (step: MoveStep) => {
  if (step === at) throw new Error(`Stopped at ${at}.`);
};

/** The states of the move in the first and in the second cell. */
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
