import type { FilterCondition, PayloadFilter } from '@finhook/contracts';

const comparisons = { eq: '==', ne: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Compiles a filter to an SQL/JSON path (ISO 9075-2). Each condition is an `exists`, which is never unknown. */
export function compileFilter(filter: PayloadFilter, member: (name: string) => string = (name) => `$${name}`): string {
  const of = member('of');
  const inner = (part: PayloadFilter, path: string): string => compileFilter(part, (name) => `${path}.${name}`);
  switch (filter.op) {
    case 'all':
      return `(${filter.of.map((part, i) => inner(part, `${of}[${i}]`)).join(' && ')})`;
    case 'any':
      return `(${filter.of.map((part, i) => inner(part, `${of}[${i}]`)).join(' || ')})`;
    case 'not':
      return `!(${inner(filter.of, of)})`;
    default:
      return compileCondition(filter, member('value'));
  }
}

// JSON literals are valid in the path language.
const literal = (value: string | number | boolean | null): string => JSON.stringify(value);

/** `value` is the path of the condition's value, because a path cannot contain a list literal. */
function compileCondition(condition: FilterCondition, value: string): string {
  const field = condition.field.split('.').map((name) => `.${literal(name)}`);
  // One filter on `$` costs a tenth of one on each entry of the field. A list matches if an entry does (lax mode).
  const holds = (test: string): string => `exists($ ? ($${field.join('')}[*] ${test}))`;
  switch (condition.op) {
    case 'in':
      return holds(`== ${value}[*]`);
    case 'exists':
      return condition.value ? holds('!= null') : `!(${holds('!= null')})`;
    case 'starts_with':
      return holds(`starts with ${literal(condition.value)}`);
    default: {
      const test = holds(`${comparisons[condition.op]} ${literal(condition.value)}`);
      return condition.op === 'ne' ? `!(${test})` : test;
    }
  }
}
