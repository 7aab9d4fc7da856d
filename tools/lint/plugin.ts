import { operationList } from '../../packages/contracts/src/index.ts';
import { casts } from './casts.ts';
import { fileNames } from './file-names.ts';
import { imports } from './imports.ts';
import { openingComment } from './opening-comment.ts';
import { terminalOutput } from './terminal-output.ts';
import { testTime } from './test-time.ts';
import { transactionAudits } from './transaction-audits.ts';

const emitting = new Set(operationList.filter(({ emits }) => emits.length > 0).map(({ id }) => id));

/** This repository's own rules, loaded by .oxlintrc.json. */
export default {
  meta: { name: 'finhook' },
  rules: {
    casts,
    'file-names': fileNames,
    imports,
    'opening-comment': openingComment,
    'terminal-output': terminalOutput,
    'test-time': testTime,
    'transaction-audits': transactionAudits(emitting),
  },
};
