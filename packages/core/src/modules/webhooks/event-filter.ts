import { allEventTypes, type FieldError, isAnyEventType } from '@finhook/contracts';
import { truncate } from '../../kernel/field-errors.ts';
import { nearestNames } from '../../kernel/nearest-names.ts';

const MAX_SHOWN = 64;

/** The way to select all event types in each list. */
const allOf = { events: 'send [] for all types', types: 'leave types out for all of them' };

function suggestion(name: string, field: keyof typeof allOf): string {
  const prefix = name.replace(/\.?\*?$/, '');
  const group = prefix === '' ? [] : allEventTypes.filter((type) => type.startsWith(`${prefix}.`));
  if (name === '*' || group.length > 0) {
    const types = group.length > 0 ? `name ${group.join(', ')}, or ` : '';
    return `: wildcards and prefixes are not supported; ${types}${allOf[field]}`;
  }
  const nearest = nearestNames(name, allEventTypes);
  if (nearest.length === 0) return '; GET /api/v1/event-types lists all of them';
  return `; did you mean ${nearest.join(' or ')}?`;
}

export function eventFilterErrors(names: readonly string[], field: keyof typeof allOf = 'events'): FieldError[] {
  return names.flatMap((name, i) =>
    isAnyEventType(name)
      ? []
      : [
          {
            pointer: `/${field}/${i}`,
            code: 'unknown_event_type' as const,
            message: `"${truncate(name, MAX_SHOWN)}" is not an event type${suggestion(name, field)}`,
          },
        ],
  );
}
