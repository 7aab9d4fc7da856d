import type { FigureSettings } from '@finhook/contracts';
import type { FigureRules } from '../src/modules/financials/figures/figure-rules.ts';

/** The rules that a record of settings tells, for the recomputation. */
export function rulesOf(settings: FigureSettings): FigureRules {
  return {
    excludedCategories: settings.excluded_categories,
    excludedInflowCategories: settings.excluded_inflow_categories,
    excludedConnections: settings.excluded_connections.map((id) => (id === 'none' ? '' : id)),
    excludeSuspectedTransfers: settings.exclude_suspected_transfers,
  };
}
