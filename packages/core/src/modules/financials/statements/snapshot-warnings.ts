import type { FinancialSnapshot, Warning } from '@finhook/contracts';
import { pointerOf } from '../../../input/field-errors.ts';
import { TAX_KEYS } from './statement-values.ts';

/** Known keys of totals in the usual order; others are stored with a warning. */
export const knownTotals: Readonly<Record<FinancialSnapshot['statement_type'], ReadonlySet<string>>> = {
  income: new Set([
    ...'revenue cogs gross_profit opex operating_income other_income other_expense interest_expense'.split(' '),
    ...TAX_KEYS,
    'net_income',
  ]),
  balance: new Set(
    (
      'cash accounts_receivable inventory other_current_assets current_assets fixed_assets other_assets total_assets ' +
      'accounts_payable credit_cards other_current_liabilities current_liabilities long_term_liabilities ' +
      'total_liabilities retained_earnings total_equity total_liabilities_and_equity'
    ).split(' '),
  ),
  cashflow: new Set(
    (
      'net_income operating_cash_flow investing_cash_flow financing_cash_flow fx_effect net_change_in_cash ' +
      'opening_cash closing_cash'
    ).split(' '),
  ),
};

type Content = Pick<FinancialSnapshot, 'statement_type' | 'period_start' | 'currency' | 'totals' | 'line_items'>;

export function snapshotWarnings(posted: Content, replaced?: Pick<Content, 'period_start' | 'currency'>): Warning[] {
  const warnings: Warning[] = [];
  for (const [key, value] of Object.entries(posted.totals)) {
    const pointer = pointerOf(['totals', key]);
    if (!knownTotals[posted.statement_type].has(key)) {
      warnings.push({
        code: 'unknown_total_key',
        pointer,
        message: `${key} is stored, but the service does not use it.`,
      });
    }
    if (!Number.isInteger(value)) {
      warnings.push({
        code: 'totals_not_minor_units',
        pointer,
        message: 'Totals are in minor units (cents), but this one has a fraction.',
      });
    }
    const line = posted.line_items.find((item) => item.key === key);
    // A cost is positive as a total and negative as a line.
    if (line && value !== 0 && Math.abs(Math.abs(value) * 100 - Math.abs(line.amount_cents)) < 1) {
      warnings.push({
        code: 'totals_unit_mismatch',
        pointer,
        message: 'This total is a hundredth of its line item: it looks like whole units instead of minor units.',
      });
    }
  }
  const totalLines = posted.line_items.filter((item) => item.is_total).map((item) => item.key);
  for (const key of new Set(totalLines.filter((item, i) => totalLines.indexOf(item) !== i))) {
    warnings.push({
      code: 'duplicate_total_line',
      pointer: '/line_items',
      message: `More than one line item is the total ${key}.`,
    });
  }
  if (replaced && replaced.period_start !== posted.period_start) {
    warnings.push({
      code: 'period_changed',
      pointer: '/period_start',
      message: `The replaced snapshot began on ${replaced.period_start}. There is one snapshot per type and period_end, so a month and the year to date replace each other. The revisions keep the replaced one.`,
    });
  }
  if (replaced && replaced.currency !== posted.currency) {
    warnings.push({
      code: 'currency_changed',
      pointer: '/currency',
      message: `The replaced snapshot was in ${replaced.currency}.`,
      stored_currency: replaced.currency,
    });
  }
  return warnings;
}
