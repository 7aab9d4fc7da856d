import type { CashView } from '../../cash/cash-on-hand.ts';
import type { FigureRules } from './figure-rules.ts';
import type { Flows } from './read-flows.ts';

export interface RowSource {
  cash: CashView;
  rules: FigureRules;
  replaced: Flows['replaced'];
  flowRules: Flows['flowRules'];
}

interface CountsParameters {
  without: string;
  replaced: string;
  zone: string;
}

/** SQL: true for a row `t` of another connection than `without` that was not replaced by the row's local day. */
export function countsSql({ without, replaced, zone }: CountsParameters): string {
  return `t.connection_id <> ALL (${without}::text[])
    AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${replaced}::jsonb) AS r (connection_id text, "from" date)
                    WHERE r.connection_id = t.connection_id AND r."from" <= (t.posted_at AT TIME ZONE ${zone})::date)`;
}

export function replacedOf({ replaced }: Pick<RowSource, 'replaced'>): string {
  return JSON.stringify(replaced);
}

export function uncountedOf({ excludedConnections, uncountedConnections }: FigureRules): string[] {
  return [...excludedConnections, ...uncountedConnections];
}
