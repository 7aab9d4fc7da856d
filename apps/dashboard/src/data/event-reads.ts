/** Procedures (by the first words of their path) that read what events of a type changed. */
const readers: ReadonlyArray<[prefix: string, paths: readonly string[]]> = [
  ['bank.balance.', ['cash', 'financials']],
  ['bank.transaction.', ['bank.transactions', 'financials']],
  ['bank.approval.', ['bank.approvals']],
  ['bank.', ['bank', 'cash', 'financials']],
  ['partner.sync_completed', ['bank', 'cash', 'financials']],
  ['partner.runtime.', ['runtimeSnapshots', 'agents']],
  ['financial.', ['financials']],
  ['company.', ['companies', 'cash', 'financials']],
  ['agent.action.', ['agentActions']],
  ['agent.approval.', ['agentApprovals']],
  ['agent.flag.', ['agentFlags']],
  ['agent.', ['agents']],
  ['filing.', ['filings', 'compliance']],
  ['compliance.', ['filings', 'compliance']],
  ['case.', ['cases']],
  ['directive.', ['directives']],
  ['api_key.', ['apiKeys', 'sessions']],
  ['webhook_endpoint.', ['webhookEndpoints']],
  ['delivery.', ['webhookEndpoints']],
];
/** Every event is in the log, in the feed, and on its way to endpoints. */
const always = ['activity', 'events', 'deliveries'];

/** The procedure paths to read again after these event types. */
export function pathsOf(types: Iterable<string>): Set<string> {
  const paths = new Set(always);
  for (const type of types) {
    const found = readers.find(([prefix]) => type.startsWith(prefix));
    for (const path of found?.[1] ?? []) paths.add(path);
  }
  return paths;
}
