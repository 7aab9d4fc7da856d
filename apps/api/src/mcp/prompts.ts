import type { OperationId } from '@finhook/contracts/catalogue';
import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { toolName } from './tools.ts';

interface PromptEntry extends Prompt {
  arguments: { name: string; description: string; required: boolean }[];
  text: (values: Readonly<Record<string, string>>) => string;
}

function tool(id: OperationId): string {
  return `\`${toolName(id)}\``;
}

const prompts: readonly PromptEntry[] = [
  {
    name: 'why-did-this-webhook-not-arrive',
    title: 'Why did this webhook not arrive?',
    description: 'Finds out why a receiver did not get an event, and what to do.',
    arguments: [
      {
        name: 'id',
        description: 'ID of a delivery (`dlv_…`), an event (`evt_…`) or a webhook endpoint (`we_…`).',
        required: true,
      },
    ],
    text: ({ id }) => `Find out why the webhook of ${id} did not arrive. Change nothing.

1. Find the delivery.
   - \`dlv_…\`: ${tool('deliveries.get')}.
   - \`evt_…\`: ${tool('events.get')} with \`include\` \`deliveries_summary\`, which also names the endpoints whose filter leaves the event out; then ${tool('deliveries.list')} with \`event_id\`.
   - \`we_…\`: ${tool('deliveries.list')} with \`endpoint_id\` and \`status\` \`undelivered\`.
   An event without a delivery was not sent: compare its \`type\`, \`company_id\` and data with \`events\`, \`company_id\` and \`filter\` of the endpoints (${tool('webhookEndpoints.list')}).
2. Read \`status\`, \`reason\`, \`waiting_for\` and \`next_attempt_at\` of the delivery, and each attempt: its error, its status code, what the receiver returned, and its \`hint\`.
3. Read the endpoint with ${tool('webhookEndpoints.get')}: is it paused, disabled or failing, does it have a rate limit, and does an earlier event block it (\`ordered\`, \`blocked_by\`)?
4. If the receiver rejected the signature, ask for the headers and the raw body that it got, and check them with ${tool('webhookEndpoints.verifySignature')}.

Answer with the cause, the evidence (times in UTC, status codes, the receiver's words), whether finhook tries again by itself and when, and what a person has to do, on which side.`,
  },
  {
    name: 'month-end-check',
    title: 'Month-end check',
    description: "Checks that a company's data of a month is complete and consistent before its books are closed.",
    arguments: [
      { name: 'company_id', description: 'ID of the company (`co_…`).', required: true },
      { name: 'month', description: 'Month to check, as `YYYY-MM`.', required: true },
    ],
    text: ({ company_id, month }) => `Check the data of company ${company_id} for the month ${month}. Change nothing.

1. ${tool('companies.get')}: currency and time zone. The month begins and ends in that time zone.
2. ${tool('financials.freshness')} and ${tool('bank.connections.list')}: does every connection have data up to the end of the month, and is any of them failing, disconnected or stale?
3. ${tool('cash.balances.list')}: is there a balance for the last day of the month for each connection and currency? ${tool('cash.onHand')} says what is left out of cash on hand today, and why.
4. ${tool('bank.transactions.list')} with \`month\`: are there gaps or duplicates, and does each transaction count as it should (\`counted_as\`)? Read all pages.
5. ${tool('financials.monthly')} and ${tool('financials.burn')}: is the month out of line with those before it? ${tool('financials.breakdown')} by category and by counterparty shows what explains it.
6. ${tool('financials.snapshots.list')} with \`period_end_from\` and \`period_end_to\`: are the balance sheet, the income statement and the cash flow statement there? Run ${tool('financials.snapshots.checks')} on each. In ${tool('financials.statements')}, is a row out of line with the months before, or a month missing?
7. ${tool('financials.dataQuality')}: what is still open?
8. ${tool('compliance.get')} and ${tool('filings.list')}: which filings of the month are due or open?

Amounts are integers in minor units of their currency (\`_cents\`). Answer with a table: each check, passed or failed, with the records that show it; then what must be done before the month can be closed. Say what you could not check.`,
  },
];

export function listPrompts(): Prompt[] {
  return prompts.map((prompt) => {
    const { text: _, ...listed } = prompt;
    return listed;
  });
}

function invalid(detail: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, detail);
}

export function getPrompt(name: string, values: Readonly<Record<string, string>> = {}): GetPromptResult {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw invalid(`There is no such prompt. There are ${prompts.map((each) => each.name).join(' and ')}.`);
  const missing = prompt.arguments.find((each) => !values[each.name]);
  if (missing) throw invalid(`The argument ${missing.name} is required: ${missing.description}`);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(values) } }],
  };
}
