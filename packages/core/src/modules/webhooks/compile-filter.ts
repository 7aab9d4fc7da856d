import type { FilterCondition, PayloadFilter } from '@finhook/contracts';

const comparisons = { eq: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A payload filter as SQL/JSON path predicate (ISO 9075-2) over the envelope. Every condition is an `exists`, which is
 * true or false and never unknown, so that `not` is plain negation. In the path's lax mode a list stands for its entries.
 */
export function compileFilter(filter: PayloadFilter): string {
  switch (filter.op) {
    case 'all':
      return `(${filter.of.map(compileFilter).join(' && ')})`;
    case 'any':
      return `(${filter.of.map(compileFilter).join(' || ')})`;
    case 'not':
      return `!(${compileFilter(filter.of)})`;
    default:
      return compileCondition(filter);
  }
}

// JSON's forms of strings and numbers are also those of the path language.
const literal = (value: string | number | boolean | null): string => JSON.stringify(value);

function compileCondition(condition: FilterCondition): string {
  const path = `$${condition.field
    .split('.')
    .map((name) => `.${literal(name)}`)
    .join('')}`;
  const holds = (test: string): string => `exists(${path} ? (${test}))`;
  switch (condition.op) {
    case 'ne':
      return `!(${holds(`@ == ${literal(condition.value)}`)})`;
    case 'in':
      return holds(condition.value.map((value) => `@ == ${literal(value)}`).join(' || '));
    case 'exists':
      return condition.value ? holds('@ != null') : `!(${holds('@ != null')})`;
    case 'starts_with':
      return holds(`@ starts with ${literal(condition.value)}`);
    default:
      return holds(`@ ${comparisons[condition.op]} ${literal(condition.value)}`);
  }
}
