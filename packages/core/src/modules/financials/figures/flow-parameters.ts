import { nameParameters } from '../named-parameters.ts';
import { rollupParameters } from '../rollup/applied-rules.ts';

/** The parameters of the statements of `flows-sql.ts`, which contain SQL of `rollup/`. */
export const { p, valuesOf } = nameParameters(
  ...rollupParameters,
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
  'keyConnection',
  'maxTailEvents',
);
