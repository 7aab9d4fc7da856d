/**
 * @finhook/contracts: the four tables that everything follows from (operations, events, errors, jobs) and the zod
 * schemas of every record. Owns what goes over the wire. Browser-safe, JSON-native; imports nothing but zod and holds
 * no behaviour beyond validation.
 */
export * from './currency.ts';
export * from './errors.ts';
export { type EventDefinition, type EventGroup, eventGroups } from './events/define-event.ts';
export * from './events/index.ts';
export * from './jobs.ts';
export * from './operation.ts';
export * from './operations/index.ts';
export * from './records/account.ts';
export * from './records/api-key.ts';
export * from './records/bank-transaction.ts';
export * from './records/cash-balance.ts';
export * from './records/company.ts';
export * from './records/delivery.ts';
export * from './records/financial-snapshot.ts';
export * from './records/list.ts';
export * from './records/webhook-endpoint.ts';
export * from './scalars.ts';
