/** companies: the legal entities of an account, from their formation to their dissolution. */
export { Company } from './company.entity.ts';
export { completeFormationStep } from './complete-formation-step.ts';
export { addCompany, createCompany } from './create-company.ts';
export { dissolveCompany } from './dissolve-company.ts';
export { FormationStep } from './formation-step.entity.ts';
export { findCompany, getCompany } from './get-company.ts';
export { listCompanies } from './list-companies.ts';
export { type LockedCompany, lockCompany } from './lock-company.ts';
export { updateCompany } from './update-company.ts';
