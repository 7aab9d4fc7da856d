/** compliance: what a company owes by its kind and place, computed from a table of rules, and kept as its matrix. */
export { getCompliance } from './get-compliance.ts';
export { resyncCompliance } from './resync-compliance.ts';
