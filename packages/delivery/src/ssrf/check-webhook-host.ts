import { isIP } from 'node:net';
import type { UrlPolicy } from './address-policy.ts';
import { isAllowedAddress } from './address-policy.ts';
import type { HostLookup } from './host-lookup.ts';
import { checkWebhookUrl, hostOf, type UrlCheck } from './url-policy.ts';

/**
 * Checks a webhook URL and, when its host is a name, every address that it resolves to (S21). For use when the URL
 * is saved: a name that does not resolve passes, because its DNS record may come later and each connection checks again.
 */
export async function checkWebhookHost(raw: string, policy: UrlPolicy, lookup: HostLookup): Promise<UrlCheck> {
  const check = checkWebhookUrl(raw, policy);
  if (!check.ok) return check;
  const host = hostOf(new URL(check.url));
  if (isIP(host) !== 0) return check;
  const addresses = await lookup(host).catch(() => []);
  if (addresses.every((address) => isAllowedAddress(address, policy))) return check;
  return { ok: false, code: 'url_not_allowed', reason: 'must not resolve to an address that is not public' };
}
