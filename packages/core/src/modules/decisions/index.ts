/** decisions: what waits for a person's decision, wires and requests of agents together. Reads the records of others. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { listInbox } from './inbox.ts';
import { getWireContext } from './wire-context.ts';

export const approvals = {
  inbox: listInbox,
} satisfies Handlers<typeof operations.approvals>;

export const wireContext = {
  context: getWireContext,
} satisfies Handlers<Pick<typeof operations.bank.approvals, 'context'>>;
