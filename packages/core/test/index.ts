/** What tests of other packages share with those of core. Not for sources: .oxlintrc.json keeps it to tests. */
export { createMigratedDatabase, migrateDatabase } from './migrated-database.ts';
export { randomHistory } from './random-company.ts';
export { type ExportedBalance, type ExportedTransaction, figuresOf, recomputeRunway } from './recompute-runway.ts';
export { rulesOf } from './rules-of.ts';
