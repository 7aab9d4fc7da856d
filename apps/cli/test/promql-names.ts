import { parser } from '@prometheus-io/lezer-promql';

/** The metrics in a PromQL expression, by Prometheus' grammar. @throws for invalid PromQL */
export function promqlNames(expression: string): Set<string> {
  // Grafana replaces the interval.
  const query = expression.replaceAll('$__rate_interval', '5m');
  const names = new Set<string>();
  parser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${query}`);
      if (type.name === 'Identifier' && node.parent?.type.name === 'VectorSelector') names.add(query.slice(from, to));
    },
  });
  return names;
}
