/** activity: the audit log as its readers see it. Written by kernel/audit.ts; nothing here changes a row. */
export { listActivity } from './list-activity.ts';
