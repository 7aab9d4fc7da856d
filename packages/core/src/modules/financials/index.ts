/** financials: statement snapshots and their revisions. */
export { getSnapshot, listSnapshots } from './read-snapshots.ts';
export { upsertSnapshot } from './upsert-snapshot.ts';
