import { casts } from './casts.ts';
import { fileNames } from './file-names.ts';
import { imports } from './imports.ts';
import { openingComment } from './opening-comment.ts';
import { ownTransactions } from './own-transactions.ts';
import { terminalOutput } from './terminal-output.ts';
import { testTime } from './test-time.ts';
import { transactionRecords } from './transaction-records.ts';

/** This repository's own rules, loaded by .oxlintrc.json. */
export default {
  meta: { name: 'finhook' },
  rules: {
    casts,
    'file-names': fileNames,
    imports,
    'opening-comment': openingComment,
    'own-transactions': ownTransactions,
    'terminal-output': terminalOutput,
    'test-time': testTime,
    'transaction-records': transactionRecords,
  },
};
