/** deliveries: scheduled deliveries, their attempts and outcomes, and the worker's claims and records. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { countDeliveries } from './count-by-hour.ts';
import { getDeliveryHealth } from './health.ts';
import { getCurl, getDelivery, listDeliveries } from './read.ts';
import { retryDelivery } from './retry.ts';

export const deliveries = {
  list: listDeliveries,
  counts: countDeliveries,
  get: getDelivery,
  curl: getCurl,
  retry: retryDelivery,
} satisfies Handlers<typeof operations.deliveries>;

export const endpointDeliveries = {
  health: getDeliveryHealth,
} satisfies Handlers<Pick<typeof operations.webhookEndpoints, 'health'>>;
