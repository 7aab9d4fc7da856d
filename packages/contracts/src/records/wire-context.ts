import { z } from 'zod';
import { currency, date, exactCents, id, objectType, timestamp } from '../scalars.ts';
import { agentFlag } from './agent-runtime.ts';
import { waitingApproval } from './waiting-approval.ts';

const wiredAccount = z
  .object({
    account_last4: z.string().describe("Last four digits of the beneficiary's account number."),
    approved_wires: z.int().describe('Earlier wires of the company to this account that were approved.'),
    last_approved_at: timestamp.nullable().describe('When the last of them was approved (UTC); null if none was.'),
  })
  .meta({ id: 'WiredAccount', description: 'An account of a beneficiary with the approved wires to it.' });

export const wireContext = z
  .object({
    object: objectType('wire_context'),
    approval_id: id('apr'),
    company_id: id('co'),
    payments: z
      .object({
        count: z.int().describe('Number of the payments.'),
        ...exactCents('median', 'Median of their amounts, half a unit rounded to the even one.'),
        amount_to_median: z
          .number()
          .nullable()
          .describe('Amount of the wire divided by the median, with one decimal; null without payments.'),
        last_paid_at: timestamp.nullable().describe('When the last of them was posted (UTC); null without payments.'),
        read_from: timestamp
          .nullable()
          .describe(
            'Only transactions posted from this time on were read (UTC), because there are more than 50,000; null if all were.',
          ),
      })
      .describe(
        'Bank transactions before the wire that paid a counterparty with the name of the beneficiary, in the currency of the wire. Upper and lower case and white space make no difference; voided transactions do not count.',
      ),
    account: wiredAccount.describe('The account that the wire names.'),
    other_accounts: z
      .array(wiredAccount)
      .describe(
        'Other accounts of a beneficiary with this name that an approved wire named before, the last one first; at most 10. Of the newest 5,000 wires before this one.',
      ),
    agent_requests: z
      .array(waitingApproval)
      .describe(
        'Pending requests of agents whose title, description or payload contains the name of the beneficiary, such as one to change its bank details; at most 20.',
      ),
    critical_flags: z
      .array(agentFlag)
      .describe(
        'Open critical flags that contain the name of the beneficiary, in their texts or in the flagged action, or that concern an agent of `agent_requests`; the newest 20.',
      ),
    paying_account: z
      .object({
        connection_id: z.string().describe('Connection that the wire is to be sent from.'),
        currency,
        as_of: date.describe('Day of its newest balance.'),
        balance_cents: z.int().describe('Its newest balance in minor units of `currency`.'),
        ...exactCents('after', 'That balance less the amount of the wire.'),
      })
      .nullable()
      .describe(
        'Cash of the paying account. Null if the wire names none, or one without a balance in its currency or that holds no cash.',
      ),
  })
  .meta({ id: 'WireContext', description: 'What the stored records say about a wire, for the person who decides it.' });
export type WireContext = z.output<typeof wireContext>;
