/**
 * SQL for the transaction id below which everything is settled: whatever has a smaller one is committed or gone, and what
 * is still to come has a greater one. Who reads up to it, in the order of transaction ids, misses nothing that commits
 * late.
 */
export const feedHorizon = 'pg_snapshot_xmin(pg_current_snapshot())';
