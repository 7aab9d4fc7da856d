import { isDeepStrictEqual } from 'node:util';
import type { FieldError, operations } from '@finhook/contracts';
import { generateSigningKeyPair } from '@finhook/signing';
import { pointerOf } from '../../input/field-errors.ts';
import type { Core } from '../../verbs/context.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { compileFilter } from './compile-filter.ts';
import { type FlowInput, flowColumns } from './endpoint-flow.ts';
import { MASK, maskHeaders, readHeaders } from './endpoint-headers.ts';
import { headersAad, privateKeyAad, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Options = Pick<
  InputOf<typeof operations.webhookEndpoints.create>,
  'operational' | 'headers' | 'timeout_ms' | 'retry_schedule' | 'payload' | 'filter' | 'metadata' | 'signature_versions'
> &
  FlowInput;
type Tools = Pick<Core, 'secrets'>;

/** Null sets the default. Throws `validation_failed` for a masked header value that matches no stored one. */
export function applyOptions(tools: Tools, endpoint: WebhookEndpoint, options: Options): void {
  if (options.operational !== undefined) endpoint.operational = options.operational ?? false;
  if (options.timeout_ms !== undefined) endpoint.timeout_ms = options.timeout_ms;
  if (options.retry_schedule !== undefined) endpoint.retry_schedule = options.retry_schedule;
  if (options.payload !== undefined) endpoint.payload = options.payload ?? 'full';
  if (options.metadata !== undefined) endpoint.metadata = options.metadata ?? {};
  if (options.filter !== undefined) {
    endpoint.filter = options.filter;
    endpoint.filter_path = options.filter === null ? null : compileFilter(options.filter);
  }
  if (options.headers !== undefined) setHeaders(tools, endpoint, options.headers ?? {});
  if (options.signature_versions !== undefined) setVersions(tools, endpoint, options.signature_versions ?? ['v1']);
  Object.assign(endpoint, flowColumns(options));
}

function setHeaders(tools: Tools, endpoint: WebhookEndpoint, sent: Readonly<Record<string, string>>): void {
  const stored = readHeaders(tools, endpoint);
  const errors: FieldError[] = [];
  const entries = Object.entries(sent).map(([name, value]): [string, string] => {
    const key = name.toLowerCase();
    const pointer = pointerOf(['headers', name]);
    // zod ignores this key.
    if (key === '__proto__') errors.push({ pointer, code: 'not_applicable', message: 'must not be a header' });
    if (!value.startsWith(MASK)) return [key, value];
    const kept = endpoint.masked_headers[key] === value ? stored[key] : undefined;
    if (kept === undefined) {
      errors.push({ pointer, code: 'invalid_format', message: 'is a masked value that matches no stored header' });
    }
    return [key, kept ?? value];
  });
  rejectFields(errors);
  const next = Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (isDeepStrictEqual(next, stored)) return;
  endpoint.headers = entries.length === 0 ? null : tools.secrets.encrypt(JSON.stringify(next), headersAad(endpoint.id));
  endpoint.masked_headers = maskHeaders(next);
}

/** Adding `v1a` creates a key pair; removing it destroys the pair. */
function setVersions(tools: Tools, endpoint: WebhookEndpoint, versions: readonly ('v1' | 'v1a')[]): void {
  const asymmetric = versions.includes('v1a');
  endpoint.signature_versions = asymmetric ? ['v1', 'v1a'] : ['v1'];
  if (!asymmetric) {
    endpoint.public_key = null;
    endpoint.private_key = null;
  } else if (endpoint.private_key == null) {
    const { publicKey, privateKey } = generateSigningKeyPair();
    endpoint.public_key = publicKey;
    endpoint.private_key = tools.secrets.encrypt(privateKey, privateKeyAad(endpoint.id));
  }
}
