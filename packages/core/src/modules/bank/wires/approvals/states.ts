import type { ApprovalStatus } from '@finhook/contracts';
import { defineStates } from '../../../../kernel/state-machine.ts';

export const APPROVAL_HOURS = 72;

/** Only a pending wire can be decided, and any result is final. */
export const approvalStates = defineStates<ApprovalStatus>('bank approval', {
  pending: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: [],
  rejected: [],
  expired: [],
  cancelled: [],
});
