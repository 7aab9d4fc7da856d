/** wires: requested wires and the approvals that larger ones need. No money is moved here. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../../kernel/verb.ts';
import { cancelBankApproval } from './approvals/cancel.ts';
import { decideBankApproval } from './approvals/decide.ts';
import { getBankApproval, listBankApprovals } from './approvals/read.ts';
import { createWire } from './create.ts';

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
