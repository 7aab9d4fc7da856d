import type { FilterCondition, PayloadFilter } from '@finhook/contracts';

/** The semantics of a payload filter in plain code, for comparison with the database. */
export function evaluateFilter(filter: PayloadFilter, envelope: unknown): boolean {
  switch (filter.op) {
    case 'all':
      return filter.of.every((part) => evaluateFilter(part, envelope));
    case 'any':
      return filter.of.some((part) => evaluateFilter(part, envelope));
    case 'not':
      return !evaluateFilter(filter.of, envelope);
    default:
      return evaluateCondition(filter, envelope);
  }
}

function evaluateCondition(condition: FilterCondition, envelope: unknown): boolean {
  const values = valuesAt(condition.field.split('.'), envelope);
  switch (condition.op) {
    case 'eq':
      return values.some((value) => value === condition.value);
    case 'ne':
      return !values.some((value) => value === condition.value);
    case 'in':
      return values.some((value) => condition.value.some((wanted) => value === wanted));
    case 'exists':
      return values.some((value) => value !== null) === condition.value;
    case 'starts_with':
      return values.some((value) => typeof value === 'string' && value.startsWith(condition.value));
    default:
      return values.some((value) => holds(condition.op, compare(value, condition.value)));
  }
}

function holds(op: 'gt' | 'gte' | 'lt' | 'lte', order: number | undefined): boolean {
  if (order === undefined) return false;
  if (op === 'gt') return order > 0;
  if (op === 'gte') return order >= 0;
  return op === 'lt' ? order < 0 : order <= 0;
}

/** Undefined for values without an order. UTF-8 bytes have the order of code points. */
function compare(value: unknown, wanted: string | number): number | undefined {
  if (typeof value === 'number' && typeof wanted === 'number') return value - wanted;
  if (typeof value === 'string' && typeof wanted === 'string') {
    return Buffer.compare(Buffer.from(value), Buffer.from(wanted));
  }
  return undefined;
}

/** The values of a field: each entry of a list, and at the end twice, as in the path language. */
function valuesAt(path: readonly string[], envelope: unknown): unknown[] {
  let current: unknown[] = [envelope];
  for (const name of path) {
    current = entriesOf(current).flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
        ? [Reflect.get(value, name)]
        : [],
    );
  }
  return entriesOf(entriesOf(current));
}

function entriesOf(values: readonly unknown[]): unknown[] {
  return values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value]));
}
