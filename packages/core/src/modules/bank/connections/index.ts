/** connections: a company's bank providers, their tokens, and their sync runs. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../../verbs/verb.ts';
import { getConnection, listConnections } from './connection.ts';
import { createConnection } from './create.ts';
import { disconnectConnection } from './disconnect.ts';
import { getConnectionOwner, setConnectionOwner } from './owner.ts';
import { setConnectionSecret } from './set-secret.ts';
import { requestSync } from './sync.ts';
import { getSync, listSyncs } from './sync-run.ts';

export const connections = {
  connections: {
    create: createConnection,
    list: listConnections,
    get: getConnection,
    setSecret: setConnectionSecret,
    sync: requestSync,
    getOwner: getConnectionOwner,
    setOwner: setConnectionOwner,
    disconnect: disconnectConnection,
  },
  syncs: {
    list: listSyncs,
    get: getSync,
  },
} satisfies Handlers<Pick<typeof operations.bank, 'connections' | 'syncs'>>;
