/** filings: what a company owes authorities and by when, and that it was submitted. */
export { createFiling } from './create-filing.ts';
export { Filing } from './filing.entity.ts';
export { getFiling } from './get-filing.ts';
export { listFilings } from './list-filings.ts';
export { openFiling } from './open-filing.ts';
export { submitFiling } from './submit-filing.ts';
