/** connections: bank providers of a company, their tokens, and the runs that pull from them. */
export { findOpenSyncs, findSyncAccount } from './claim-sync.ts';
export { tokenPlace } from './connection-record.ts';
export { createConnection } from './create-connection.ts';
export { disconnectConnection } from './disconnect-connection.ts';
export { getConnection, listConnections } from './read-connections.ts';
export { getSync, listSyncs } from './read-syncs.ts';
export { requestSync } from './request-sync.ts';
export { runSync } from './run-sync.ts';
export { setConnectionSecret } from './set-connection-secret.ts';
export { unfilledSql } from './unfilled-sql.ts';
