import { createClient, type FinhookClient } from '@finhook/client';
import type { Target } from '../find-or-start.ts';

/** The life of a second company, from its formation to its end. `synced` resolves when its bank was read. */
export async function runSpinOff(client: FinhookClient, synced: () => Promise<void>): Promise<void> {
  const { id: company_id, formation } = await client.companies.create.mutate({
    name: 'Demo spin-off',
    entity_type: 'llc',
    status: 'forming',
  });
  const [step] = formation.steps;
  if (step) await client.companies.formation.completeStep.mutate({ company_id, step_key: step.key });
  await client.companies.update.mutate({ company_id, legal_name: 'Demo Spin-off LLC', status: 'active' });

  const bank = await client.bank.connections.create.mutate({
    company_id,
    provider: 'sandbox',
    institution_name: 'Example Bank',
    currency: 'USD',
  });
  await client.bank.connections.setSecret.mutate({ connection_id: bank.id, secret: 'sandbox-token-0001' });
  await client.bank.connections.sync.mutate({ connection_id: bank.id });
  await synced();
  await client.bank.connections.disconnect.mutate({ connection_id: bank.id });
  await client.companies.dissolve.mutate({ company_id, reason: 'Merged into the demo company' });
}

/** The people of the demo company: filings, a case, directives, a wire that waits for another person. */
export async function runOffice(client: FinhookClient, company_id: string): Promise<void> {
  await client.compliance.resync.mutate({ company_id });
  const filing = await client.filings.create.mutate({ company_id, type: 'annual_report', due_date: '2030-03-01' });
  await client.filings.submit.mutate({ filing_id: filing.id, confirmation_number: 'DE-118842' });
  const opened = await client.cases.create.mutate({ company_id, title: 'Notice from the Division of Corporations' });
  await client.cases.comments.create.mutate({ case_id: opened.id, body: 'The notice came by mail today.' });

  const [, paused, done] = await Promise.all(
    ['Pay no invoice above 500 USD without asking', 'Close the books by the 5th', 'Renew the insurance'].map((title) =>
      client.directives.create.mutate({ company_id, title }),
    ),
  );
  if (paused) await client.directives.suspend.mutate({ directive_id: paused.id, reason: 'The bookkeeper is away' });
  if (done) await client.directives.resolve.mutate({ directive_id: done.id, resolution: 'completed' });

  await client.bank.wires.create.mutate({
    company_id,
    amount_cents: 2_500_000,
    currency: 'USD',
    beneficiary: { name: 'Harbour Offices', account_last4: '4321' },
  });
}

/** An agent that works with a key of its own, and one whose engagement ended. */
export async function runAgents(client: FinhookClient, { api_url }: Target, company_id: string): Promise<void> {
  const agent = { provider: 'example', model: 'ledger-2', company_id };
  const former = await client.agents.create.mutate({ ...agent, name: 'Collections' });
  await client.agents.detach.mutate({ agent_id: former.id, company_id, reason: 'Engagement ended' });
  const { id: agent_id } = await client.agents.create.mutate({ ...agent, name: 'Bookkeeper' });
  await client.agents.update.mutate({ agent_id, model: 'ledger-3' });
  await client.agents.pause.mutate({ agent_id, company_id, reason: 'Under review' });
  await client.agents.resume.mutate({ agent_id, company_id, reason: 'Reviewed' });

  const key = await client.apiKeys.create.mutate({ name: 'Bookkeeper', scope: 'agent', agent_id });
  const own = createClient({ url: api_url, apiKey: key.key });
  const action = { agent_id, company_id, type: 'email.send' };
  const began = await own.agentActions.create.mutate({ ...action, title: 'Ask the vendor for an invoice' });
  await own.agentActions.update.mutate({ action_id: began.id, status: 'completed', output: { message_id: 'msg-1' } });
  const error = { code: 'smtp_550', message: 'Mailbox unknown' };
  await own.agentActions.create.mutate({ ...action, title: 'Remind the customer', status: 'failed', error });
  const blocked = { reason: 'The recipient is not on the list', policy: 'outbound-email' };
  await own.agentActions.create.mutate({ ...action, title: 'Write to the press', status: 'blocked', blocked });

  const place = { agent_id, company_id };
  const asked = await own.agentApprovals.request.mutate({ ...place, title: 'Send the reminder to the vendor' });
  await client.agentApprovals.decide.mutate({ agent_approval_id: asked.id, decision: 'approve', comment: 'Go ahead' });
  await own.agentApprovals.request.mutate({ ...place, title: 'Refund the customer', risk: 'high' });
  const flag = await client.agentFlags.create.mutate({
    ...place,
    title: 'Wrong tone in an email',
    severity: 'warning',
  });
  await client.agentFlags.resolve.mutate({ flag_id: flag.id, note: 'The template was corrected' });
  await own.runtimeSnapshots.put.mutate({ agent_id, company_id, runtime: 'example-runtime/2.1', state: 'running' });
  await client.apiKeys.revoke.mutate({ key_id: key.id });
}
