/** companies: the legal entities of an account. */
export { Company } from './company.entity.ts';
export { createCompany } from './create-company.ts';
export { findCompany, getCompany } from './get-company.ts';
export { listCompanies } from './list-companies.ts';
export { type LockedCompany, lockCompany } from './lock-company.ts';
