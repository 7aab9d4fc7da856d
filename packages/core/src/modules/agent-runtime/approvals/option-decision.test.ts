// Risk: a reviewer chooses an option that denies, and the record and its webhook say approved.
import { expect, test } from 'vitest';
import { decisionOfText } from './approval.ts';

test.each(
  (
    'Deny|DENIED|reject|Rejected| decline |refuse|No|Deny the payment|Reject: wrong account|' +
    "decline politely|Refuse (ask again)|Never|never pay them|Don't pay|Don’t pay|Do not pay|DO  NOT|" +
    'No, ask first|No. Wait|no thanks|No – call|No-one'
  ).split('|'),
)('the option %j denies', (option) => {
  expect(decisionOfText(option)).toBe('deny');
});

test.each(
  (
    'Approve|Pay now|Ask the vendor by phone|Yes, do not wait|Notify the vendor|No problem|Now|' +
    'Denying is wrong|Rejected before, pay now|Nevertheless pay|Donate|Do nothing yet|Do notify|'
  ).split('|'),
)('the option %j approves', (option) => {
  expect(decisionOfText(option)).toBe('approve');
});
