import type { Operations } from '@finhook/contracts';
import { apiKeys, me } from './modules/accounts/index.ts';
import { activity } from './modules/activity/index.ts';
import { agentActions, agentApprovals, agentFlags, runtimeSnapshots } from './modules/agent-runtime/index.ts';
import { agents } from './modules/agents/index.ts';
import { bank } from './modules/bank/index.ts';
import { cases, directives } from './modules/cases/index.ts';
import { cash } from './modules/cash/index.ts';
import { companies } from './modules/companies/index.ts';
import { compliance } from './modules/compliance/index.ts';
import { approvals, wireContext } from './modules/decisions/index.ts';
import { deliveries, endpointDeliveries } from './modules/deliveries/index.ts';
import { endpointEvents, events, eventTypes } from './modules/events/index.ts';
import { filings } from './modules/filings/index.ts';
import { countedTransactions, financials } from './modules/financials/index.ts';
import { fxRates } from './modules/fx-rates/index.ts';
import { endpointReplays, replays } from './modules/replays/index.ts';
import { requests } from './modules/requests/index.ts';
import { sessions } from './modules/sessions/index.ts';
import { webhookEndpoints } from './modules/webhooks/index.ts';
import type { Handlers } from './verbs/verb.ts';

export const handlers: Handlers<Operations> = {
  me,
  companies,
  cash,
  bank: {
    ...bank,
    transactions: { ...bank.transactions, ...countedTransactions },
    approvals: { ...bank.approvals, ...wireContext },
  },
  approvals,
  financials,
  fxRates,
  filings,
  compliance,
  cases,
  directives,
  webhookEndpoints: { ...webhookEndpoints, ...endpointDeliveries, ...endpointEvents, ...endpointReplays },
  replays,
  agents,
  agentActions,
  agentApprovals,
  agentFlags,
  runtimeSnapshots,
  apiKeys,
  sessions,
  events,
  eventTypes,
  activity,
  requests,
  deliveries,
};
