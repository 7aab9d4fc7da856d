import { allEventTypes, eventDefinition } from '@finhook/contracts';
import { isRecord } from '../http/read-body.ts';
import { formsOf, isNullable, resolve, type Schema, type Schemas } from './schema-fields.ts';

const MAX_DEPTH = 5;

type Values = Readonly<Record<string, unknown>>;

/**
 * A value that the schema allows: from examples of the schema and its description, from the sample of an event about the
 * same type of object, and from `given` for the outermost fields. Optional fields without any of these are left out.
 */
export function exampleOf(schema: Schema, schemas: Schemas, given: Values): unknown {
  return new Examples(schemas, sampleObjects()).valueOf(schema, '', given);
}

class Examples {
  readonly #schemas: Schemas;
  readonly #objects: ReadonlyMap<unknown, Values>;

  constructor(schemas: Schemas, objects: ReadonlyMap<unknown, Values>) {
    this.#schemas = schemas;
    this.#objects = objects;
  }

  valueOf(schema: Schema, name: string, known: Values, depth = 0): unknown {
    const own = resolve(schema, this.#schemas);
    const [form = {}] = formsOf(schema, this.#schemas);
    if (fits(known[name], form)) return known[name];
    const [example] = own.examples ?? form.examples ?? [];
    if (example !== undefined) return example;
    const [, named] = /for example `([^`]+)`/.exec(own.description ?? '') ?? [];
    if (fits(named, form)) return named;
    return isNullable(schema, this.#schemas) ? null : this.#plain(form, name, known, depth);
  }

  #plain(form: Schema, name: string, known: Values, depth: number): unknown {
    if (form.const !== undefined) return form.const;
    if (form.enum) return form.enum[0];
    switch ([form.type].flat()[0]) {
      case 'string':
        return textOf(form);
      case 'integer':
      case 'number':
        return Math.max(form.minimum ?? 0, 0);
      case 'boolean':
        return false;
      case 'array':
        return name === 'warnings' || depth > MAX_DEPTH || !form.items
          ? []
          : [this.valueOf(form.items, '', {}, depth + 1)];
      default:
        return this.#object(form, name === '' ? known : {}, depth);
    }
  }

  #object({ properties = {}, required = [] }: Schema, given: Values, depth: number): object {
    const known = { ...this.#objects.get(properties['object']?.const), ...given };
    const shown = Object.entries(properties).filter(([name]) => required.includes(name) || name in known);
    return Object.fromEntries(shown.map(([name, property]) => [name, this.valueOf(property, name, known, depth + 1)]));
  }
}

function textOf({ format, minLength = 0 }: Schema): string {
  if (format === 'date-time') return '2026-03-01T09:30:00.000Z';
  if (format === 'date') return '2026-03-31';
  if (format === 'uri') return 'https://example.com/';
  return '…'.padEnd(minLength, '…');
}

/** Only scalars: what an object contains depends on more than its name. */
function fits(value: unknown, { type, enum: values, const: constant }: Schema): boolean {
  if (value === undefined || value === null || constant !== undefined) return false;
  if (values) return values.includes(value);
  const types = [type].flat();
  if (typeof value === 'number')
    return types.includes(Number.isInteger(value) ? 'integer' : 'number') || types.includes('number');
  return (typeof value === 'string' || typeof value === 'boolean') && types.includes(typeof value);
}

/** The records in the samples of the events, by their type. */
function sampleObjects(): ReadonlyMap<unknown, Values> {
  const found = new Map<unknown, Values>();
  const collect = (value: unknown): void => {
    if (!isRecord(value)) return;
    const { object } = value;
    if (object !== undefined && !found.has(object)) found.set(object, value);
    Object.values(value).forEach(collect);
  };
  for (const type of allEventTypes) collect(eventDefinition(type).sample);
  return found;
}
