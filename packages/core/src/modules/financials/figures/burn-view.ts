import type { CashView } from '../../cash/cash-on-hand.ts';
import type { Burn, MonthFlow } from './compute-burn.ts';
import type { FigureRules } from './figure-rules.ts';
import type { TransferRow } from './pair-transfers.ts';
import type { Flows } from './read-flows.ts';

export interface BurnView {
  cash: CashView;
  rules: FigureRules;
  flows: MonthFlow[];
  windows: Flows['windows'];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  arrivals: Flows['arrivals'];
  replaced: Flows['replaced'];
  activity: Flows['activity'];
  /** Empty unless they were asked for. */
  repeated: Flows['repeated'];
  /** Rows that look like transfers between own series, by month; empty if the settings count them. */
  transfers: ReadonlyMap<string, readonly TransferRow[]>;
  window: string[];
  burns: Burn[];
}
