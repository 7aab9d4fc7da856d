/** financials: statement snapshots, their revisions, and the equations that they should satisfy. */
export { checkNewest } from './check-newest.ts';
export { checkSnapshot } from './check-snapshot.ts';
export { listRevisions } from './list-revisions.ts';
export { readOverwritten } from './read-overwritten.ts';
export { getSnapshot, listSnapshots } from './read-snapshots.ts';
export { readValues } from './statement-values.ts';
export { upsertSnapshot } from './upsert-snapshot.ts';
