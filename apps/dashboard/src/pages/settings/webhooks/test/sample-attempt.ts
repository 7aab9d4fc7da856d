import type { Attempt } from '../attempt.view.ts';

export function sampleAttempt(part: Partial<Attempt> = {}): Attempt {
  return {
    n: 1,
    at: '2026-03-01T09:00:00.000Z',
    trigger: 'automatic',
    status_code: 200,
    error: null,
    error_message: null,
    error_code: null,
    hint: null,
    duration_ms: 10,
    url: 'https://example.com/hook',
    remote_address: '192.0.2.1',
    connection_reused: false,
    timings: { dns_ms: 1, connect_ms: 2, tls_ms: 3, first_byte_ms: 4, total_ms: 10 },
    request_headers: { 'webhook-id': 'evt_1' },
    response_headers: {},
    response_snippet: null,
    response_truncated: null,
    evidence_purged_at: null,
    ...part,
  };
}
