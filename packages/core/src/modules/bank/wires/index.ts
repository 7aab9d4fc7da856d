/** wires: requested wires and the approvals that larger ones need. No money is moved here. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../../verbs/verb.ts';
import { getBankApproval, listBankApprovals } from './approval.ts';
import { createWire } from './create.ts';
import { cancelBankApproval, decideBankApproval } from './decide.ts';

export const wires = {
  wires: {
    create: createWire,
  },
  approvals: {
    list: listBankApprovals,
    get: getBankApproval,
    decide: decideBankApproval,
    cancel: cancelBankApproval,
  },
} satisfies Handlers<Pick<typeof operations.bank, 'wires' | 'approvals'>>;
