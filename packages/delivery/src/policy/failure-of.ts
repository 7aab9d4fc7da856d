import { redactText } from '../redact/redact-text.ts';
import type { SendResult } from '../transport/send-result.ts';

/** Why an attempt failed: `http_<status>` or the class of the error, and one sentence for people, without secrets. */
export type Failure = { readonly error: string; readonly message: string };

/** What was wrong with the result of an attempt; undefined where it succeeded: 2xx alone does (Standard Webhooks 1.0.0). */
export function failureOf(result: SendResult): Failure | undefined {
  if (result.kind === 'error') return { error: result.errorClass, message: redactText(result.message) };
  if (isSuccess(result.statusCode)) return undefined;
  return { error: `http_${result.statusCode}`, message: messageOf(result.statusCode) };
}

/** Whether a status says that a delivery was taken. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

function messageOf(statusCode: number): string {
  if (statusCode === 410) return 'The endpoint answered 410 Gone: it wants no more deliveries.';
  if (statusCode >= 300 && statusCode <= 399) return `The endpoint answered ${statusCode}; redirects are not followed.`;
  return `The endpoint answered ${statusCode} instead of a 2xx status.`;
}
