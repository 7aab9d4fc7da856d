import type { Reconciliation, Warning } from '@finhook/contracts';
import { accountName } from '../../../ids/connection-id.ts';
import type { BurnView } from './burn-view.ts';
import { fellSilent } from './silent-series.ts';

/** Questions about single accounts: those that fell silent, and deposits that look like a card or a loan. */
export function accountWarnings(view: BurnView, reconciliations: readonly Reconciliation[]): Warning[] {
  return [...silentWarnings(view), ...typeWarnings(view, reconciliations)];
}

function silentWarnings({ rules, activity, window }: BurnView): Warning[] {
  return activity
    .filter((one) => !rules.uncountedConnections.includes(one.connection_id) && fellSilent(one, window))
    .map(({ connection_id }) => ({
      code: 'silent_connection',
      connection_id: connection_id || null,
      message: `The ${accountName(connection_id)} had transactions in each month before, and none in one of the months of burn: is its feed interrupted?`,
    }));
}

/** A type that somebody set ends the question. */
function typeWarnings(
  { rules, cardReceivers, replaced }: BurnView,
  reconciliations: readonly Reconciliation[],
): Warning[] {
  const opposite = reconciliations.filter(({ hint }) => hint === 'opposite_signs');
  const ids = new Set([...cardReceivers, ...opposite.map(({ connection_id }) => connection_id ?? '')]);
  const known = new Set([
    ...rules.typedConnections,
    ...rules.cardConnections,
    ...rules.uncountedConnections,
    ...replaced.map(({ connection_id }) => connection_id),
  ]);
  return [...ids]
    .filter((id) => !known.has(id))
    .sort()
    .map((connection_id) => ({
      code: 'account_type_unclear',
      connection_id: connection_id || null,
      message: cardReceivers.has(connection_id)
        ? `The ${accountName(connection_id)} counts as cash, and receives payments of a credit card: is it a card? Set its type in the settings of the company.`
        : `The ${accountName(connection_id)} counts as cash, and its balance moves against its transactions: is it a card or a loan? Set its type in the settings of the company.`,
    }));
}
