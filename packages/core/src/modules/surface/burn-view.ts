import type { CashView } from '../cash/index.ts';
import type { Burn, MonthFlow } from './compute-burn.ts';
import type { Flows } from './read-flows.ts';
import type { SurfaceRules } from './surface-rules.ts';

/** A company's flows of some months and what follows from them. */
export interface BurnView {
  cash: CashView;
  rules: SurfaceRules;
  flows: MonthFlow[];
  /** The months of the flows. */
  windows: Flows['windows'];
  coverageFrom: string | undefined;
  hasTransactions: boolean;
  arrivals: Flows['arrivals'];
  replaced: Flows['replaced'];
  activity: Flows['activity'];
  window: string[];
  burns: Burn[];
}
