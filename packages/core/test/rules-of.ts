import type { AccountType, FigureSettings } from '@finhook/contracts';
import {
  cardPaymentLabels,
  financingLabels,
  ownTransferLabels,
} from '../src/modules/financials/figures/category-labels.ts';

/** The rules for the recomputation. */
export interface RecomputeRules {
  transfers: readonly string[];
  /** Categories that are transfers if a card account was present. */
  cards: readonly string[];
  financing: readonly string[];
  /** As stored: '' for rows without a connection. */
  excludedConnections: readonly string[];
  pairs: boolean;
  flowRules: readonly {
    contains: string;
    direction?: 'in' | 'out' | undefined;
    flow_class?: string | undefined;
    category?: string | undefined;
  }[];
  /** Types of accounts other than `depository`, by connection. */
  types: Readonly<Record<string, AccountType>>;
}

export const defaultRules: RecomputeRules = {
  transfers: ownTransferLabels,
  cards: cardPaymentLabels,
  financing: financingLabels,
  excludedConnections: [],
  pairs: true,
  flowRules: [],
  types: {},
};

/** The rules of a settings record, in which defaults look like set values. */
export function rulesOf(settings: FigureSettings): RecomputeRules {
  const { excluded_categories } = settings;
  const isDefault = excluded_categories.join() === [...ownTransferLabels, ...cardPaymentLabels].join();
  return {
    transfers: isDefault ? ownTransferLabels : excluded_categories,
    cards: isDefault ? cardPaymentLabels : [],
    financing: settings.excluded_inflow_categories,
    excludedConnections: settings.excluded_connections.map(idOf),
    pairs: settings.exclude_suspected_transfers,
    flowRules: settings.flow_rules,
    types: Object.fromEntries(
      settings.accounts.map(({ connection_id, account_type }) => [idOf(connection_id), account_type]),
    ),
  };
}

function idOf(connection: string): string {
  return connection === 'none' ? '' : connection;
}
