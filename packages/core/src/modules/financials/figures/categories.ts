/** Normalizes a category for comparison: ASCII lower case, every run of other characters one underscore. */
export function normalizeCategory(category: string): string {
  return category.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).replaceAll(/[^a-z0-9]+/g, '_');
}

export function normalizedCategorySql(sql: string): string {
  return `regexp_replace(lower(coalesce(${sql}, '') COLLATE "C"), '[^a-z0-9]+', '_', 'g')`;
}

export const TRANSFER_CATEGORIES: readonly string[] = [
  'internal_transfer',
  'transfer',
  'own_account_transfer',
  'credit_card_payment',
];

/** Money in that is not income: excluded so that a financing round does not hide the burn. */
export const FINANCING_CATEGORIES: readonly string[] = [
  'equity_financing',
  'fundraising',
  'safe',
  'loan_proceeds',
  'capital_contribution',
];
