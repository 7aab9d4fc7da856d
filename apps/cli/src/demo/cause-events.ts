import { createClient, type FinhookClient } from '@finhook/client';
import type { Target } from '../find-or-start.ts';

/** The life of a second company, from its formation to its dissolution. `synced` resolves when its bank is synced. */
export async function runSpinOff(client: FinhookClient, synced: () => Promise<void>): Promise<void> {
  const { id: company_id, formation } = await client.companies.create({
    name: 'Demo spin-off',
    entity_type: 'llc',
    status: 'forming',
  });
  const [step] = formation.steps;
  if (step) await client.companies.formation.completeStep({ company_id, step_key: step.key });
  await client.companies.update({ company_id, legal_name: 'Demo Spin-off LLC', status: 'active' });

  const bank = await client.bank.connections.create({
    company_id,
    provider: 'sandbox',
    institution_name: 'Example Bank',
    currency: 'USD',
  });
  await client.bank.connections.setSecret({ connection_id: bank.id, secret: 'sandbox-token-0001' });
  await client.bank.connections.sync({ connection_id: bank.id });
  await synced();
  await client.bank.connections.disconnect({ connection_id: bank.id });
  await client.companies.dissolve({ company_id, reason: 'Merged into the demo company' });
}

export async function runOffice(client: FinhookClient, company_id: string): Promise<void> {
  await client.compliance.resync({ company_id });
  const filing = await client.filings.create({ company_id, type: 'annual_report', due_date: '2030-03-01' });
  await client.filings.submit({ filing_id: filing.id, confirmation_number: 'DE-118842' });
  const early = await client.filings.create({ company_id, type: 'sales_tax', due_date: '2030-01-20' });
  await client.filings.submit({ filing_id: early.id });
  await client.filings.reopen({ filing_id: early.id });
  const opened = await client.cases.create({ company_id, title: 'Notice from the Division of Corporations' });
  await client.cases.comments.create({ case_id: opened.id, body: 'The notice came by mail today.' });

  const [, paused, done] = await Promise.all(
    ['Pay no invoice above 500 USD without asking', 'Close the books by the 5th', 'Renew the insurance'].map((title) =>
      client.directives.create({ company_id, title }),
    ),
  );
  if (paused) await client.directives.suspend({ directive_id: paused.id, reason: 'The bookkeeper is away' });
  if (done) await client.directives.resolve({ directive_id: done.id, resolution: 'completed' });

  await client.bank.wires.create({
    company_id,
    amount_cents: 2_500_000,
    currency: 'USD',
    beneficiary: { name: 'Harbour Offices', account_last4: '4321' },
  });
}

export async function runAgents(client: FinhookClient, { api_url }: Target, company_id: string): Promise<void> {
  const agent = { provider: 'example', model: 'ledger-2', company_id };
  const former = await client.agents.create({ ...agent, name: 'Collections' });
  await client.agents.detach({ agent_id: former.id, company_id, reason: 'Engagement ended' });
  const { id: agent_id } = await client.agents.create({ ...agent, name: 'Bookkeeper' });
  await client.agents.update({ agent_id, model: 'ledger-3' });
  await client.agents.pause({ agent_id, company_id, reason: 'Under review' });
  await client.agents.resume({ agent_id, company_id, reason: 'Reviewed' });

  const key = await client.apiKeys.create({ name: 'Bookkeeper', scope: 'agent', agent_id });
  const own = createClient({ baseUrl: api_url, apiKey: key.key });
  const action = { agent_id, company_id, type: 'email.send' };
  const began = await own.agentActions.create({ ...action, title: 'Ask the vendor for an invoice' });
  await own.agentActions.update({ action_id: began.id, status: 'completed', output: { message_id: 'msg-1' } });
  const error = { code: 'smtp_550', message: 'Mailbox unknown' };
  await own.agentActions.create({ ...action, title: 'Remind the customer', status: 'failed', error });
  const blocked = { reason: 'The recipient is not on the list', policy: 'outbound-email' };
  await own.agentActions.create({ ...action, title: 'Write to the press', status: 'blocked', blocked });

  const place = { agent_id, company_id };
  const asked = await own.agentApprovals.request({ ...place, title: 'Send the reminder to the vendor' });
  await client.agentApprovals.decide({ agent_approval_id: asked.id, decision: 'approve', comment: 'Go ahead' });
  await own.agentApprovals.request({ ...place, title: 'Refund the customer', risk: 'high' });
  const flag = await client.agentFlags.create({
    ...place,
    title: 'Wrong tone in an email',
    severity: 'warning',
  });
  await client.agentFlags.resolve({ flag_id: flag.id, note: 'The template was corrected' });
  await own.runtimeSnapshots.put({ agent_id, company_id, runtime: 'example-runtime/2.1', state: 'running' });
  await client.apiKeys.revoke({ key_id: key.id });
}
