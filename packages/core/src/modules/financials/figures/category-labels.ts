/** Defaults, normalized. Ambiguous words (`transfer`, `deposit`, …) are missing: only pairs leave out their rows. */

export const ownTransferLabels: readonly string[] = [
  'internal_transfer',
  'internal_transfers',
  'own_account_transfer',
  'own_account_transfers',
  'account_transfer',
  'internaltransfer',
  'treasurytransfer',
  'treasury_transfer',
  'cash_sweep',
  'transfer_in_account_transfer',
  'transfer_in_savings',
  'transfer_in_investment_and_retirement_funds',
  'transfer_out_account_transfer',
  'transfer_out_savings',
  'transfer_out_investment_and_retirement_funds',
];

/** Payments of a credit card's bill: left out if the card's purchases are counted. */
export const cardPaymentLabels: readonly string[] = [
  'credit_card_payment',
  'credit_card_payments',
  'loan_payments_credit_card_payment',
];

/** Money in that is not income: left out so that a round does not hide the burn. */
export const financingLabels: readonly string[] = [
  'equity_financing',
  'fundraising',
  'safe',
  'safes',
  'convertible_note',
  'convertible_notes',
  'seed_round',
  'series_a',
  'series_b',
  'series_c',
  'series_d',
  'series_e',
  'series_f',
  'share_capital',
  'paid_in_capital',
  'capital_contribution',
  'capital_contributions',
  'owner_contribution',
  'owner_contributions',
  'owner_s_investment',
  'loan_proceeds',
  'loan_disbursement',
  'loan_disbursements',
  'shareholder_loan',
  'director_loan',
  'founder_loan',
  'venture_debt',
  'transfer_in_cash_advances_and_loans',
];
