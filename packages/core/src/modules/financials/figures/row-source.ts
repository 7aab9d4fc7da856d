import type { CashView } from '../../cash/cash-on-hand.ts';
import type { FigureRules } from './figure-rules.ts';
import type { Flows } from './read-flows.ts';

/** What decides which rows of a company are read one by one. */
export interface RowSource {
  cash: CashView;
  rules: FigureRules;
  replaced: Flows['replaced'];
}
