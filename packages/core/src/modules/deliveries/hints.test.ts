// Risk: an attempt fails in a way for which nobody is told what to do.
import { errorClassHints, hintForAttempt, verificationHints } from '@finhook/contracts';
import type { ErrorClass } from '@finhook/delivery';
import { type SignatureProblem, signatureRejectionHints } from '@finhook/signing';
import { expect, test } from 'vitest';

// These two don't compile when a class or a reason has no hint.
const byClass: Readonly<Record<ErrorClass, string>> = errorClassHints;
const byReason: Readonly<Record<SignatureProblem, string>> = verificationHints;

const oneSentence = /^[A-Z][^.!?]*(?:\.\w[^.!?]*)*\.$/;

test('each error class has one sentence, and a success has none', () => {
  for (const [error, hint] of Object.entries(byClass)) {
    expect(hintForAttempt(error, null), error).toBe(hint);
    expect(hint).toMatch(oneSentence);
  }
  expect(hintForAttempt('a_class_of_a_newer_worker', null)).toBe(byClass.unknown);
  expect(hintForAttempt(null, 200)).toBeNull();
});

test('each status that is a failure has one sentence, and redirects are told from rejections', () => {
  for (let status = 300; status <= 599; status += 1) {
    expect(hintForAttempt(`http_${status}`, status), String(status)).toMatch(oneSentence);
  }
  expect(hintForAttempt('http_307', 307)).toContain('redirects are never followed');
  expect(hintForAttempt('http_451', 451)).toContain('2xx');
  expect(hintForAttempt('http_599', 599)).toContain('log');
});

test('each reason for which a signature is rejected has a hint', () => {
  for (const reason of Object.keys(signatureRejectionHints)) expect(byReason).toHaveProperty(reason);
  for (const hint of Object.values(byReason)) expect(hint).toMatch(/^[A-Z].+\.$/);
});
