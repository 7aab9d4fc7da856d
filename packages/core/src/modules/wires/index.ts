/** wires: wires that somebody asks for and the approvals that the larger ones need. No money is moved here. */
export { BankApproval } from './bank-approval.entity.ts';
export { cancelBankApproval } from './cancel-approval.ts';
export { createWire } from './create-wire.ts';
export { decideBankApproval } from './decide-approval.ts';
export { expireBankApprovals } from './expire-approvals.ts';
export { getBankApproval, listBankApprovals } from './read-approvals.ts';
