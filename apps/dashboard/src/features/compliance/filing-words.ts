/** Kinds of filings, as the contract names them. */
export const filingTypes = [
  'annual_report',
  'franchise_tax',
  'income_tax',
  'sales_tax',
  'payroll_tax',
  'boi_report',
  'registered_agent',
  'license',
  'other',
] as const;

/** `annual report` of `annual_report`. */
export function typeWords(type: string): string {
  return type.replaceAll('_', ' ');
}
