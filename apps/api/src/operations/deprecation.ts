import type { Operation } from '@finhook/contracts';

const POLICY = '</docs/versions>; rel="deprecation"; type="text/html"';

/**
 * `Deprecation` (RFC 9745) with the earliest day, `Sunset` (RFC 8594) with the first end, and a `Link` to the policy.
 */
export function deprecationHeaders(operation: Operation, sent: Readonly<Record<string, unknown>>) {
  const fields = Object.entries(operation.deprecatedFields ?? {}).filter(([name]) => Object.hasOwn(sent, name));
  const all = [operation.deprecated ?? [], fields.map(([, field]) => field)].flat();
  if (all.length === 0) return {};
  const since = Math.min(...all.map((deprecation) => Date.parse(deprecation.since)));
  const sunsets = all.flatMap(({ sunset }) => (sunset === undefined ? [] : [Date.parse(sunset)]));
  return {
    deprecation: `@${since / 1000}`,
    ...(sunsets.length > 0 && { sunset: new Date(Math.min(...sunsets)).toUTCString() }),
    link: POLICY,
  };
}
