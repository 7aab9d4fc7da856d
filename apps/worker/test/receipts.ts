import type { ReceivedRequest } from '@finhook/testing';

/** What arrived, told apart by path and event. */
export interface Receipts {
  readonly unique: ReadonlySet<string>;
  /** Requests beyond the first of each. */
  readonly duplicates: number;
}

export function headerOf(request: ReceivedRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

export function receiptsOf(requests: readonly ReceivedRequest[]): Receipts {
  const unique = new Set(requests.map((request) => `${request.path} ${headerOf(request, 'webhook-id')}`));
  return { unique, duplicates: requests.length - unique.size };
}
