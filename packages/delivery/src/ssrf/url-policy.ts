import { isIP } from 'node:net';
import { createAddressCheck, type HostLookup, type UrlPolicy } from './resolve-host.ts';

type UrlProblem = {
  readonly ok: false;
  readonly code: 'invalid_url' | 'url_not_allowed';
  readonly reason: string;
};
export type UrlCheck = { readonly ok: true; readonly url: string } | UrlProblem;

const maxUrlLength = 2048;

// RFC 6761, RFC 6762 appendix G, RFC 7686, RFC 8375.
const privateSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
  'invalid',
];

/**
 * Checks the text; `checkWebhookHost` and the connector check addresses. Store the returned `url`, which is normalised.
 * `invalid_url` is a syntax error, `url_not_allowed` a violated rule.
 */
export function checkWebhookUrl(raw: string, policy: UrlPolicy): UrlCheck {
  if (raw.length > maxUrlLength) return invalid(`must be at most ${maxUrlLength} characters`);
  // URL parsers disagree on these characters, which can bypass a check.
  if (/[\s\\\p{Cc}]/u.test(raw)) return invalid('must not contain spaces, control characters or backslashes');
  if (!raw.isWellFormed()) return invalid('must be well-formed text, without unpaired surrogates');
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(raw)?.[1];
  const url = URL.parse(raw);
  if (authority === undefined || url === null)
    return invalid('must be an absolute URL such as https://example.com/hook');
  // A `?` without a query is not sent.
  if (url.search === '') url.search = '';
  if (url.href.length > maxUrlLength) return invalid(`must be at most ${maxUrlLength} characters when encoded`);
  return (
    checkScheme(url, policy) ??
    checkParts(raw, authority) ??
    checkPort(url, policy) ??
    checkHost(url, authority, policy) ?? { ok: true, url: url.href }
  );
}

function checkScheme(url: URL, policy: UrlPolicy): UrlProblem | undefined {
  if (url.protocol === 'https:') return undefined;
  if (url.protocol !== 'http:') return notAllowed('must use https');
  return policy.allowInsecure ? undefined : notAllowed('must use https, not http');
}

function checkParts(raw: string, authority: string): UrlProblem | undefined {
  if (authority.includes('@')) return notAllowed('must not contain a user name or password');
  if (raw.includes('#')) return notAllowed('must not contain a fragment');
  return undefined;
}

function checkPort(url: URL, policy: UrlPolicy): UrlProblem | undefined {
  if (url.port === '') return undefined;
  const port = Number(url.port);
  if (port === 0) return notAllowed('must not use port 0');
  if (policy.allowInsecure || port >= 1024 || port === 80 || port === 443) return undefined;
  return notAllowed(`must not use port ${port}: allowed are 80, 443 and 1024 to 65535`);
}

function checkHost(url: URL, authority: string, policy: UrlPolicy): UrlProblem | undefined {
  const written = /^(?:\[[^\]]*\]|[^:]*)/.exec(authority)?.[0] ?? '';
  const host = hostOf(url);
  if (written.includes('%')) return notAllowed('must not contain an encoded host name');
  if (written.endsWith('.') || host.endsWith('.')) return notAllowed('must not end its host name with a dot');
  // Internationalised names have a punycode label; characters that fold into ASCII disguise a host.
  if (/[^\x21-\x7e]/.test(written) && !host.includes('xn--')) {
    return notAllowed('must not write its host name with look-alike characters');
  }
  if (isIP(host) === 0) return checkName(host, policy);
  if (isIP(host) === 4 && written !== host) return notAllowed('must write an IPv4 address as four decimal numbers');
  return createAddressCheck(policy)(host) ? undefined : notAllowed('must not point at an address that is not public');
}

function checkName(host: string, policy: UrlPolicy): UrlProblem | undefined {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) {
    return invalid('must contain a valid host name');
  }
  if (policy.allowInsecure || (policy.allowedCidrs ?? []).length > 0) return undefined;
  if (privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`))) {
    return notAllowed(`must not use the private host name ${host}`);
  }
  return labels.length === 1 ? notAllowed('must use a full host name with a domain') : undefined;
}

function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function invalid(reason: string): UrlProblem {
  return { ok: false, code: 'invalid_url', reason };
}

function notAllowed(reason: string): UrlProblem {
  return { ok: false, code: 'url_not_allowed', reason };
}

/** A name that doesn't resolve passes: its record may follow, and each connection checks again. */
export async function checkWebhookHost(raw: string, policy: UrlPolicy, lookup: HostLookup): Promise<UrlCheck> {
  const check = checkWebhookUrl(raw, policy);
  if (!check.ok) return check;
  const host = hostOf(new URL(check.url));
  if (isIP(host) !== 0) return check;
  const addresses = await lookup(host).catch(() => []);
  if (addresses.every(createAddressCheck(policy))) return check;
  return { ok: false, code: 'url_not_allowed', reason: 'must not resolve to an address that is not public' };
}
