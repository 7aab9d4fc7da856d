/** bank: the connections of a company, their syncs and transactions, and wires with their approvals. No money is moved. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getConnection, listConnections } from './connections/connection.ts';
import { createConnection } from './connections/create.ts';
import { disconnectConnection } from './connections/disconnect.ts';
import { getConnectionOwner, setConnectionOwner } from './connections/owner.ts';
import { setConnectionSecret } from './connections/set-secret.ts';
import { requestSync } from './connections/sync.ts';
import { getSync, listSyncs } from './connections/sync-run.ts';
import { ingestTransactions } from './transactions/ingest.ts';
import { getTransaction } from './transactions/transaction.ts';
import { updateTransaction } from './transactions/update.ts';
import { getBankApproval, listBankApprovals } from './wires/approval.ts';
import { createWire } from './wires/create.ts';
import { cancelBankApproval, decideBankApproval } from './wires/decide.ts';

type Operations = typeof operations.bank;
/** In `financials`, which knows the transactions that count. */
type InFinancials = 'list' | 'bulk';
/** In `decisions`, which knows what agents ask. */
type InDecisions = 'context';

export const bank = {
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
  transactions: {
    ingest: ingestTransactions,
    get: getTransaction,
    update: updateTransaction,
  },
  wires: {
    create: createWire,
  },
  approvals: {
    list: listBankApprovals,
    get: getBankApproval,
    decide: decideBankApproval,
    cancel: cancelBankApproval,
  },
} satisfies Handlers<
  Omit<Operations, 'transactions' | 'approvals'> & {
    transactions: Omit<Operations['transactions'], InFinancials>;
    approvals: Omit<Operations['approvals'], InDecisions>;
  }
>;
