/**
 * @finhook/contracts: the four tables that everything follows from (operations, events, errors, jobs) and the zod
 * schemas of every record. Owns what goes over the wire. Browser-safe, JSON-native; imports nothing but zod and holds
 * no behaviour beyond validation.
 */
export * from './currency.ts';
export * from './delivery-hints.ts';
export * from './errors.ts';
export { type EventDefinition, type EventGroup, eventGroups, eventGroupTags } from './events/define-event.ts';
export * from './events/index.ts';
export * from './format-money.ts';
export * from './jobs.ts';
export * from './json-schema.ts';
export * from './number-fault.ts';
export * from './operation.ts';
export { operationGroups } from './operations/groups.ts';
export * from './operations/index.ts';
export * from './path-parameters.ts';
export * from './records/account.ts';
export * from './records/activity.ts';
export * from './records/agent.ts';
export * from './records/agent-runtime.ts';
export * from './records/api-key.ts';
export * from './records/bank-approval.ts';
export * from './records/bank-connection.ts';
export * from './records/bank-transaction.ts';
export * from './records/burn.ts';
export * from './records/case.ts';
export * from './records/cash-balance.ts';
export * from './records/cash-on-hand.ts';
export * from './records/company.ts';
export * from './records/compliance.ts';
export * from './records/data-quality.ts';
export * from './records/delivery.ts';
export * from './records/delivery-health.ts';
export * from './records/directive.ts';
export * from './records/endpoint-flow.ts';
export * from './records/exact-cents.ts';
export * from './records/filing.ts';
export * from './records/financial-snapshot.ts';
export * from './records/financial-summary.ts';
export * from './records/formation.ts';
export * from './records/freshness.ts';
export * from './records/list.ts';
export { type FilterCondition, filterSizeFault, type PayloadFilter, payloadFilter } from './records/payload-filter.ts';
export * from './records/replay.ts';
export * from './records/session.ts';
export * from './records/signature-verification.ts';
export * from './records/snapshot-check.ts';
export * from './records/surface-settings.ts';
export * from './records/sync-run.ts';
export * from './records/webhook-endpoint.ts';
export * from './scalars.ts';
