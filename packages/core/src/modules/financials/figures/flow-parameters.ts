import { nameParameters } from '../named-parameters.ts';

/** The parameters of the statements of `flows-sql.ts`. The first four are those of all SQL in `rollup/`. */
export const { p, valuesOf } = nameParameters(
  'company',
  'account',
  'zone',
  'now',
  'firstMonth',
  'lastMonth',
  'transferCategories',
  'financingCategories',
  'excluded',
  'due',
  'seeksRepeated',
  'uncounted',
  'keyedBy',
  'keyCurrency',
);
