/**
 * SQL for the transaction id below which everything is settled: whatever has a smaller one is committed or gone, and what
 * is still to come has a greater one. Who reads up to it, in the order of transaction ids, misses nothing that commits
 * late.
 */
export const feedHorizon = 'pg_snapshot_xmin(pg_current_snapshot())';

/**
 * The order of what is due to an ordered endpoint. Of what one transaction made, a delivery's id begins with its place: the
 * time and the number of its event, or, in a step of a replay, a number in the order of the feed, which the ids of events
 * need not be in.
 */
export const queueOrder = `feed_xid, substr(delivery_id, 1, ${'dlv_'.length + 11}), event_id, delivery_id`;
