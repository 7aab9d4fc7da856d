/** activity: the audit log as its readers see it. Written by kernel/audit.ts; nothing here changes a row. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { listActivity } from './list-activity.ts';

export const activity = {
  list: listActivity,
} satisfies Handlers<typeof operations.activity>;
