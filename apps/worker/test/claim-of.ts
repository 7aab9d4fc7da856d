import type { ClaimedDelivery } from '@finhook/core';

export function claimOf(over: Partial<ClaimedDelivery> = {}): ClaimedDelivery {
  return {
    deliveryId: 'dlv_1',
    accountId: 'acct_1',
    eventId: 'evt_1',
    eventType: 'bank.balance.updated',
    sequence: '1',
    endpointId: 'we_1',
    endpointVersion: '1',
    body: Buffer.from('{}'),
    bodyBytes: 2,
    attempt: 1,
    step: 0,
    trigger: 'automatic',
    scheduled: true,
    leaseToken: 'req_1',
    ...over,
  };
}
