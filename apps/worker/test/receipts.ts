import type { ReceivedRequest } from '@finhook/testing';
import { Webhook } from 'standardwebhooks';

/** Received requests, distinct by path and event. */
export interface Receipts {
  readonly unique: ReadonlySet<string>;
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

/** True if the Standard Webhooks library accepts the signature. */
export function isSignedWith(secret: string, request: ReceivedRequest): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, headerOf(request, name)]));
  try {
    return new Webhook(secret).verify(request.body, headers) !== undefined;
  } catch {
    return false;
  }
}
