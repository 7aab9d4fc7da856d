/** activity: reads the audit log, which kernel/audit.ts writes. It changes no row. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { listActivity } from './list.ts';

export const activity = {
  list: listActivity,
} satisfies Handlers<typeof operations.activity>;
