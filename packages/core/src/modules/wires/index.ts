/** wires: requested wires and the approvals that larger ones need. No money is moved here. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { cancelBankApproval } from './cancel-approval.ts';
import { createWire } from './create-wire.ts';
import { decideBankApproval } from './decide-approval.ts';
import { getBankApproval, listBankApprovals } from './read-approvals.ts';

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
