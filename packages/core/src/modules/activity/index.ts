/** activity: reads the audit log, which outbox/audit.ts writes. It changes no row. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { listActivity } from './list.ts';

export const activity = {
  list: listActivity,
} satisfies Handlers<typeof operations.activity>;
