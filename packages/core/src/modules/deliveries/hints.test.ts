// Risk: a failed attempt has no hint, or a wrong one.
import { errorClassHints, hintForAttempt, receiverReasonHints, verificationHints } from '@finhook/contracts';
import type { ErrorClass } from '@finhook/delivery';
import { type SignatureProblem, signatureRejectionHints } from '@finhook/signing';
import { describe, expect, test } from 'vitest';

// Fails to compile if a class or a reason has no hint.
const byClass: Readonly<Record<ErrorClass, string>> = errorClassHints;
const byReason: Readonly<Record<SignatureProblem, string>> = verificationHints;

const oneSentence = /^[A-Z][^.!?]*(?:\.\w[^.!?]*)*\.$/;

test('each error class has one sentence, and a success has none', () => {
  for (const [error, hint] of Object.entries(byClass)) {
    expect(hintForAttempt({ error }), error).toBe(hint);
    expect(hint).toMatch(oneSentence);
  }
  expect(hintForAttempt({ error: 'a_class_of_a_newer_worker' })).toBe(byClass.unknown);
  expect(hintForAttempt({ error: null, status_code: 200 })).toBeNull();
});

const ofStatus = (status_code: number, response_snippet: string | null = null) =>
  hintForAttempt({ error: `http_${status_code}`, status_code, response_snippet });

test('each failure status has one sentence, and redirects differ from rejections', () => {
  for (let status = 300; status <= 599; status += 1) expect(ofStatus(status), String(status)).toMatch(oneSentence);
  expect(ofStatus(307)).toContain('redirects are never followed');
  expect(ofStatus(451)).toContain('2xx');
  expect(ofStatus(599)).toContain('log');
  expect(ofStatus(304)).not.toMatch(/redirect|final address/);
  expect(ofStatus(413)).toMatch(/4 MB.*`payload` to `thin`/);
});

describe('the code of an error decides its hint', () => {
  test.each([
    ['tls', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'without a client certificate'],
    ['reset', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'without a client certificate'],
    ['tls', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'without a client certificate'],
    ['tls', 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'without a client certificate'],
    ['tls', 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'no client certificate, and that it shares a cipher'],
    ['tls', 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'no client certificate, and that it shares a cipher'],
    ['tls', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'http/1.1 in ALPN'],
    ['tls', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'Enable TLS 1.2'],
    ['tls', 'ERR_SSL_UNSUPPORTED_PROTOCOL', 'Enable TLS 1.2'],
    ['tls', 'ERR_SSL_WRONG_VERSION_NUMBER', 'the scheme and the port'],
    ['tls', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'the scheme and the port'],
    ['tls', 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'Configure this host name'],
    ['tls', 'CERT_HAS_EXPIRED', 'Renew'],
    ['tls', 'CERT_NOT_YET_VALID', 'valid from a later time'],
    ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'],
    ['tls', 'SELF_SIGNED_CERT_IN_CHAIN', 'self-signed'],
    ['tls', 'ERR_TLS_CERT_ALTNAME_INVALID', 'for this host name'],
    ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'intermediate'],
    ['tls', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'intermediate'],
    ['tls', 'CERT_REVOKED', 'revoked'],
    ['tls', 'ERR_SSL_NO_SUCH_CODE', byClass.tls],
    ['dns', 'ENOTFOUND', 'spelled right'],
    ['timeout', 'lookup_timeout', 'name servers'],
    ['connect_timeout', 'lookup_timeout', 'name servers'],
    ['connect_timeout', 'connect_timeout', byClass.connect_timeout],
    ['timeout', 'response_timeout', byClass.timeout],
    ['timeout', 'request_timeout', 'stopped reading the body'],
    ['timeout', 'head_timeout', 'End the headers'],
    ['protocol', 'not_http', byClass.protocol],
    ['protocol', 'http_version', byClass.protocol],
    ['protocol', 'switching_protocols', 'WebSocket'],
    ['protocol', 'headers_too_large', 'fewer or shorter'],
    ['protocol', 'too_many_interim_responses', 'final response'],
    ['protocol', 'space_before_colon', 'a proxy before it'],
    ['protocol', 'content_length_conflict', 'a proxy before it'],
    ['dns', 'ENODATA', 'no address'],
    ['dns', 'ESERVFAIL', 'nothing is wrong with the url'],
    ['dns', 'EREFUSED', 'nothing is wrong with the url'],
    ['dns', 'ETIMEOUT', 'nothing is wrong with the url'],
    ['dns', 'EAI_AGAIN', 'nothing is wrong with the url'],
    ['dns', 'ECONNREFUSED', 'nothing is wrong with the url'],
    ['reset', 'ECONNRESET', byClass.reset],
    ['connect_refused', 'ECONNREFUSED', byClass.connect_refused],
  ])('%s with %s', (error, error_code, said) => {
    const hint = hintForAttempt({ error, error_code });
    expect(hint).toContain(said);
    expect(hint).toMatch(oneSentence);
  });
});

test('an unfinished handshake, an unfinished body and a slow handler have different hints', () => {
  expect(hintForAttempt({ error: 'timeout', handshake: true })).toContain('handshake did not end');
  expect(hintForAttempt({ error: 'connect_timeout', handshake: true })).toContain('handshake did not end');
  expect(hintForAttempt({ error: 'reset', handshake: true })).toContain('during the handshake');
  expect(hintForAttempt({ error: 'timeout', status_code: 200 })).toContain('body did not end');
  for (const error of ['timeout', 'reset'] as const) expect(hintForAttempt({ error })).toBe(byClass[error]);
});

describe('a receiver that says why it rejects the signature', () => {
  test.each([
    ['invalid_secret', 'whole secret'],
    ['{"error":{"code":"no_matching_signature"}}', 'secret of this endpoint'],
    ['rejected: timestamp_too_old: The delivery was signed too long ago', 'clock'],
    ['timestamp_in_future', 'behind'],
    ['missing_header: A signature header is absent', 'proxy that drops headers'],
    ['body_already_parsed', 'raw bytes'],
    ['malformed_signature', 'changes or shortens'],
    ['{"message":"No matching signature found"}', 'secret of this endpoint'],
    ['Message timestamp too old', 'clock'],
    ['Missing required headers', 'proxy that drops headers'],
  ])('%s', (body, said) => {
    for (const status of [400, 401, 422, 500]) expect(ofStatus(status, body)).toContain(said);
  });

  test('other words of a body change nothing', () => {
    for (const body of ['invalid_secrets', 'constructor', 'to_string __proto__', '']) {
      expect(ofStatus(400, body)).toBe(ofStatus(400));
    }
    expect(ofStatus(302, 'missing_header')).toBe(ofStatus(302));
  });

  test('each reason of the helpers has a hint here', () => {
    for (const reason of Object.keys(signatureRejectionHints)) expect(receiverReasonHints).toHaveProperty(reason);
    for (const hint of Object.values(receiverReasonHints)) expect(hint).toMatch(oneSentence);
  });
});

test('each reason for which a signature is rejected has a hint', () => {
  for (const reason of Object.keys(signatureRejectionHints)) expect(byReason).toHaveProperty(reason);
  for (const hint of Object.values(byReason)) expect(hint).toMatch(/^[A-Z].+\.$/);
});
