import type { DocumentedOperation } from './api-document.ts';
import { atPointer, isObject, type JsonObject } from './json.ts';

/** The schema without the `null` that an optional field allows. */
function withoutNull(schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const forms = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  const form = forms.filter(isObject).find(({ type }) => type !== 'null') ?? {};
  return Array.isArray(form['type']) ? { ...form, type: form['type'].find((type) => type !== 'null') } : form;
}

function propertiesOf(schema: unknown): [string, JsonObject][] {
  const properties = atPointer(schema, '/properties');
  return isObject(properties) ? Object.entries(properties).map(([name, form]) => [name, withoutNull(form)]) : [];
}

function requiredOf(schema: JsonObject): readonly unknown[] {
  return Array.isArray(schema['required']) ? schema['required'] : [];
}

/** A value that a schema allows, as far as its examples, enumerations and required properties tell. */
function sampleOf(schema: JsonObject): unknown {
  const { examples, enum: values, type, minimum } = schema;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(values)) return values[0];
  if (type === 'object') {
    const required = requiredOf(schema);
    const fields = propertiesOf(schema).filter(([name]) => required.includes(name));
    return Object.fromEntries(fields.map(([name, form]) => [name, sampleOf(form)]));
  }
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' ? minimum : 1;
  return type === 'boolean' ? true : type === 'array' ? [] : 'sample';
}

/** Each field of a body that is one of a few words, with them; what a record's state is comes first. */
function choicesOf({ body }: DocumentedOperation): [string, readonly string[]][] {
  const choices = propertiesOf(body).map(([name, { enum: values }]): [string, readonly string[]] => [
    name,
    Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [],
  ]);
  return choices.sort(([a], [b]) => Number(b === 'status') - Number(a === 'status'));
}

/** The example, told to bring about an event of this type where a field can say so: `agent.action.failed` is a status. */
export function bodyFor(operation: DocumentedOperation, eventType: string): JsonObject {
  const word = eventType.slice(eventType.lastIndexOf('.') + 1);
  const told = choicesOf(operation).filter(([, words]) => words.includes(word));
  return { ...operation.example, ...Object.fromEntries(told.map(([name]) => [name, word])) };
}

/** The example, then the example with each word of each field that is one of a few. */
export function bodiesOf(operation: DocumentedOperation): JsonObject[] {
  const others = choicesOf(operation).flatMap(([name, words]) =>
    words.map((word) => ({ ...operation.example, [name]: word })),
  );
  return [operation.example, ...others];
}

/**
 * The body with what a 422 complains of put right: a field that is not required goes, one that is missing is made up.
 * Undefined where nothing can be done.
 */
export function repairBody(operation: DocumentedOperation, body: JsonObject, problem: unknown): JsonObject | undefined {
  const faults = atPointer(problem, '/errors');
  const fields = new Map(propertiesOf(operation.body));
  const required = requiredOf(operation.body ?? {});
  const repaired = { ...body };
  for (const fault of Array.isArray(faults) ? faults : []) {
    const name = String(atPointer(fault, '/pointer')).split('/')[1] ?? '';
    const schema = fields.get(name);
    if (schema === undefined || (name in body && required.includes(name))) return undefined;
    if (name in body) delete repaired[name];
    else repaired[name] = sampleOf(schema);
  }
  return repaired;
}
