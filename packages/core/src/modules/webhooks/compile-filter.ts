import type { FilterCondition, PayloadFilter } from '@finhook/contracts';

const comparisons = { eq: '==', ne: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A payload filter as SQL/JSON path predicate (ISO 9075-2) over the envelope; its variables are the members of the
 * filter itself. Every condition is an `exists`, which is true or false and never unknown, so that `not` is plain
 * negation. In the path's lax mode a list stands for its entries.
 */
export function compileFilter(filter: PayloadFilter, member: (name: string) => string = (name) => `$${name}`): string {
  const of = member('of');
  const inner = (part: PayloadFilter, place: string): string => compileFilter(part, (name) => `${place}.${name}`);
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

// JSON's forms of strings and numbers are also those of the path language.
const literal = (value: string | number | boolean | null): string => JSON.stringify(value);

/** `value` is where the path finds the condition's value: a list cannot be written in it. */
function compileCondition(condition: FilterCondition, value: string): string {
  const field = condition.field.split('.').map((name) => `.${literal(name)}`);
  // The field is read once, and all that it leads to is compared with all the values: that costs a tenth of a filter on
  // each entry. An entry that is a list stands for its own entries.
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
