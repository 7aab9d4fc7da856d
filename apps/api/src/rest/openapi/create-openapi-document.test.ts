// Risk: client generators and docs are fed a document that is not OpenAPI, or that leaves operations out.
import { allEventTypes, errors, eventTypes, isRecord, operationList } from '@finhook/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAjv } from '../../../test/open-api-schemas.ts';
import { createOpenApiDocument } from './create-openapi-document.ts';

const document = createOpenApiDocument();

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect(result.errors).toBeUndefined();
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
});

function nameIn(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

/** The schemas inside a part of the document, by pointer. */
function schemasIn(part: unknown, place = ''): [string, object][] {
  if (!isRecord(part)) return Array.isArray(part) ? part.flatMap((item, i) => schemasIn(item, `${place}/${i}`)) : [];
  return Object.entries(part).flatMap(([name, value]): [string, object][] => {
    const at = `${place}/${name}`;
    if (name === 'example') return [];
    return isRecord(value) && (name === 'schema' || place === '/components/schemas')
      ? [[at, value]]
      : schemasIn(value, at);
  });
}

test('every schema of the document is a JSON Schema 2020-12', () => {
  const ajv = createAjv();
  const schemas = schemasIn(JSON.parse(JSON.stringify(document)));
  const faulty = schemas.filter(([, schema]) => ajv.validateSchema(schema) !== true);
  expect(schemas.length).toBeGreaterThan(operationList.length * 2);
  expect(faulty.map(([place]) => place)).toEqual([]);
});

test('every webhook names the headers of a delivery, says which are always there, and asks for no API key', () => {
  for (const type of allEventTypes) {
    const { $ref: ref } = z.object({ $ref: z.string() }).parse(document.webhooks?.[type]);
    const item = document.components?.pathItems?.[nameIn(ref)];
    const { parameters = [], security } = (item && 'post' in item && item.post) || {};
    const headers = parameters.filter((one) => 'in' in one && one.in === 'header' && one.description !== undefined);
    expect(Object.fromEntries(headers.map((one) => ('name' in one ? [one.name, one.required ?? false] : [])))).toEqual({
      'x-service-signature': true,
      'webhook-id': true,
      'webhook-timestamp': true,
      'webhook-signature': true,
      'x-service-event': true,
      'x-service-delivery': true,
      'x-service-sequence': true,
      'x-service-attempt': true,
      'x-service-test': false,
    });
    expect(security).toEqual([]);
  }
});

test('every operation stands at each of its routes, every emitted event among the webhooks', () => {
  const ids: string[] = [];
  for (const { id, http } of operationList) {
    for (const { method, path } of [http, ...(http.aliases ?? [])]) {
      const described: { operationId?: string; 'x-scopes'?: unknown } | undefined = Reflect.get(
        document.paths?.[path] ?? {},
        method.toLowerCase(),
      );
      expect(described?.operationId, `${method} ${path}`).toMatch(
        new RegExp(`^${id.replaceAll('.', '\\.')}(\\.\\d)?$`),
      );
      ids.push(described?.operationId ?? '');
    }
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(Object.keys(document.webhooks ?? {})).toEqual([...allEventTypes]);
});

test('every event is promised by an operation, at once or later, but for the one that failed deliveries cause', () => {
  const promised = new Set<string>();
  for (const methods of Object.values(document.paths ?? {})) {
    for (const described of Object.values(methods)) {
      for (const name of ['x-emits', 'x-emits-later'])
        for (const type of Reflect.get(described, name) ?? []) promised.add(type);
    }
  }
  expect(eventTypes.filter((type) => !promised.has(type))).toEqual(['webhook_endpoint.failing']);
});

const order = ['path', 'header', 'query'];
test('every operation tells its rejections as problem documents, and what an Idempotency-Key may bring about', () => {
  for (const { http, kind } of operationList) {
    const described = Reflect.get(document.paths?.[http.path] ?? {}, http.method.toLowerCase());
    const statuses = Object.keys(described.responses);
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '429', '500', '503']));
    const names = described.parameters?.map(({ name }: { name: string }) => name);
    expect(names?.includes('idempotency-key') ?? false).toBe(kind === 'mutation');
    expect(described.responses['503'].description.includes('account_moving')).toBe(kind === 'mutation');
    if (kind === 'mutation') {
      // What is added to a query later must come last in clients with positional parameters.
      const places: string[] = described.parameters.map((one: { in: string }) => one.in);
      expect(places, http.path).toEqual(places.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
      expect(statuses).toEqual(expect.arrayContaining(['409', '413', '415', '422']));
      expect(described.responses['409'].description).toContain('idempotency_in_progress');
    }
    for (const status of statuses.filter((text) => text >= '400')) {
      expect(Object.keys(described.responses[status].content)).toEqual(['application/problem+json']);
    }
  }
});

test('every member of a rejection that the page of its error names is a field of the problem document', () => {
  const { properties } = z.object({ properties: z.looseObject({}) }).parse(document.components?.schemas?.['Problem']);
  const elsewhere = ['after', 'before', 'expected_count', 'next_cursor', 'prev_cursor', 'expires_at', 'ip_allowlist'];
  const named = Object.values(errors).flatMap(({ meaning, action }) => [
    ...`${meaning} ${action}`.matchAll(/`([a-z_]+)`/g),
  ]);
  const members = new Set(named.map(([, name = '']) => name));
  expect([...members].filter((name) => !(name in properties)).toSorted()).toEqual(elsewhere.toSorted());
});

test('an operation whose status depends on what it did tells both', () => {
  const depends = operationList.filter(({ http }) => http.status !== undefined);
  expect(depends.length).toBeGreaterThan(5);
  for (const { id, http } of depends) {
    const { responses } = Reflect.get(document.paths?.[http.path] ?? {}, http.method.toLowerCase());
    const succeeding = Object.keys(responses).filter((status) => status.startsWith('2'));
    expect([id, succeeding]).toEqual([id, ['200', http.success === 202 ? '202' : '201']]);
  }
});

test('a body is required where one of its fields is, and nowhere else', () => {
  const isRequired = (path: string, method: string): unknown =>
    Reflect.get(document.paths?.[path] ?? {}, method).requestBody.required;
  for (const { http, input } of operationList.filter(
    ({ http: { method } }) => method !== 'GET' && method !== 'DELETE',
  )) {
    const ids = Object.fromEntries([...http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
    expect([http.path, isRequired(http.path, http.method.toLowerCase())]).toEqual([
      http.path,
      !input.safeParse(ids).success,
    ]);
  }
  expect(isRequired('/companies/{company_id}/dissolve', 'post')).toBe(false);
  expect(isRequired('/companies/{company_id}/bank/transactions', 'post')).toBe(true);
});

test('a record is one component, whether it is asked for or answered', () => {
  const names = Object.keys(document.components?.schemas ?? {});
  expect(names).toEqual(
    expect.arrayContaining([
      'Company',
      'CashBalance',
      'BankTransaction',
      'FinancialSnapshot',
      'WebhookEndpoint',
      'Problem',
    ]),
  );
  expect(names.filter((name) => name.endsWith('Output'))).toEqual([]);
});

/** Every schema at any depth of the document, by its path; examples and defaults are none. */
function everySchema(part: unknown = document, place = ''): [string, Record<string, unknown>][] {
  if (Array.isArray(part)) return part.flatMap((item, i) => everySchema(item, `${place}/${i}`));
  if (!isRecord(part)) return [];
  const inside = Object.entries(part)
    .filter(([name]) => !['example', 'examples', 'default', 'enum'].includes(name))
    .flatMap(([name, value]) => everySchema(value, `${place}/${name}`));
  return [[place, part], ...inside];
}

const schemas = everySchema();
const componentPath = /^\/components\/schemas\/[^/]+$/;

test('every JSON body and every union is a component, so that generators have a name for it', () => {
  const bodies = schemas.filter(([place]) => /\/application\/(problem\+)?json\/schema$/.test(place));
  expect(bodies.length).toBeGreaterThan(operationList.length);
  expect(bodies.filter(([, schema]) => schema['$ref'] === undefined).map(([place]) => place)).toEqual([]);
  const unions = schemas.filter(([place, { anyOf, oneOf }]) => {
    const options: unknown = anyOf ?? oneOf;
    const forms = Array.isArray(options) ? options.filter((option) => option.type !== 'null') : [];
    return forms.length > 1 && !componentPath.test(place);
  });
  expect(unions.map(([place]) => place)).toEqual([]);
});

test('nothing is only null, and what may be null is one type or a reference with null', () => {
  const nullable = schemas.filter(([, { anyOf }]) => Array.isArray(anyOf) && anyOf.some(({ type }) => type === 'null'));
  const typed = nullable.filter(([place, { anyOf }]) => {
    const [inner] = Array.isArray(anyOf) ? anyOf : [];
    return (
      inner.$ref === undefined && inner.enum === undefined && inner.const === undefined && !componentPath.test(place)
    );
  });
  expect(typed.map(([place]) => place)).toEqual([]);
  const alone = schemas.filter(([place, { type }]) => type === 'null' && !/\/(anyOf|oneOf)\/\d+$/.test(place));
  expect(alone.map(([place]) => place)).toEqual([]);
});

test('a union of objects is exclusive, because generators make one object of what may be several', () => {
  const objects = schemas.filter(([, { anyOf }]) => {
    const options: unknown[] = Array.isArray(anyOf) ? anyOf : [];
    return options.filter((option) => isRecord(option) && option['$ref'] !== undefined).length > 1;
  });
  expect(objects.map(([place]) => place)).toEqual([]);
});

test('beside a reference stands nothing but a description, because generators forget the one or the other', () => {
  const references = schemas.filter(([place, { $ref }]) => $ref !== undefined && !place.endsWith('/mapping'));
  expect(references.length).toBeGreaterThan(1000);
  const crowded = references.filter(([, schema]) =>
    Object.keys(schema).some((key) => !['$ref', 'description', 'summary'].includes(key)),
  );
  expect(crowded.map(([place]) => place)).toEqual([]);
});

test('names stay apart when generators make identifiers of them', () => {
  const identifier = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const tags = (document.tags ?? []).map(({ name }) => name);
  const ids = schemas.flatMap(([, { operationId }]) => (typeof operationId === 'string' ? [operationId] : []));
  for (const names of [tags, ids, Object.keys(document.components?.schemas ?? {})]) {
    expect(names.length).toBeGreaterThan(20);
    expect(new Set(names.map(identifier)).size).toBe(names.length);
  }
  const used = schemas.flatMap(([, { operationId, tags: own }]) => (operationId && Array.isArray(own) ? own : []));
  expect(new Set(used)).toEqual(new Set(tags));
  expect(document.tags?.filter(({ description }) => !description)).toEqual([]);
});

test('an integer that may not fit into 32 bits is int64, and every number is a double', () => {
  const integers = schemas.filter(([, { type }]) => [type].flat().includes('integer'));
  expect(integers.length).toBeGreaterThan(100);
  const wrong = integers.filter(([, { minimum, maximum, format }]) => {
    const fits = Number(minimum ?? -Infinity) >= -(2 ** 31) && Number(maximum ?? Infinity) < 2 ** 31;
    return format !== (fits ? 'int32' : 'int64');
  });
  expect(wrong.map(([place]) => place)).toEqual([]);
  const [balance] = integers.filter(([place]) => place.endsWith('/schemas/CashBalance/properties/balance_cents'));
  expect(balance?.[1]).toMatchObject({ type: 'integer', format: 'int64' });
  const numbers = schemas.filter(([, { type }]) => [type].flat().includes('number'));
  expect(numbers.filter(([, { format }]) => format !== 'double').map(([place]) => place)).toEqual([]);
});

test('no schema forbids fields that it does not name', () => {
  expect(schemas.filter(([, { additionalProperties }]) => additionalProperties === false)).toEqual([]);
});

function namedParts(): NamedPart[] {
  const { paths = {}, tags = [], components = {} } = document;
  const operationsOf = Object.values(paths).flatMap((item) =>
    Object.values(item ?? {}).map((one: { operationId?: string; description?: string }) => ({
      name: one.operationId ?? '',
      place: one.operationId ?? '',
      description: one.description,
    })),
  );
  const named = [...tags.map((tag) => [tag.name, tag] as const), ...Object.entries(components.schemas ?? {})];
  return [...operationsOf, ...named.map(([name, part]) => partOf(name, name, part)), ...fieldsIn(document)];
}

interface NamedPart {
  name: string;
  place: string;
  description: string | undefined;
}

/** A reference is described by what it refers to, unless it has a description of its own. */
function partOf(name: string, place: string, part: unknown): NamedPart {
  const { description, $ref } = described.parse(part);
  const referred = $ref === undefined ? undefined : document.components?.schemas?.[nameIn($ref)];
  return { name, place, description: description ?? described.optional().parse(referred)?.description };
}
const described = z.object({ description: z.string().optional(), $ref: z.string().optional() });
const parameters = z.array(z.looseObject({ name: z.string() }));

function fieldsIn(part: unknown, place = ''): NamedPart[] {
  if (Array.isArray(part)) return part.flatMap((item, i) => fieldsIn(item, `${place}/${i}`));
  if (!isRecord(part)) return [];
  return Object.entries(part).flatMap(([key, value]): NamedPart[] => {
    const at = `${place}/${key}`;
    const inside = key === 'example' ? [] : fieldsIn(value, at);
    if (key === 'properties' && isRecord(value)) {
      inside.push(...Object.entries(value).map(([name, field]) => partOf(name, `${at}/${name}`, field)));
    }
    const found = key === 'parameters' ? parameters.safeParse(value) : undefined;
    inside.push(...(found?.data ?? []).map((one) => partOf(one.name, `${at}/${one.name}`, one)));
    return inside;
  });
}

const wordsOf = (text: string) =>
  text
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase()
    .match(/[a-z0-9…]+/g) ?? [];
const fillers = ['the', 'a', 'an', 'of', 'its', 'this', 'that', 'is'];

test('every operation, tag, schema, field and parameter has a description that says more than its name', () => {
  const parts = namedParts();
  expect(parts.length).toBeGreaterThan(4_000);
  const silent = parts.filter(({ name, description = '' }) => {
    const known = new Set([...wordsOf(name), ...fillers]);
    return wordsOf(description).every((word) => known.has(word));
  });
  expect(silent.map(({ place }) => place)).toEqual([]);
  const money = parts.filter(({ name }) => name.endsWith('_cents'));
  expect(money.length).toBeGreaterThan(40);
  expect(money.filter(({ description = '' }) => !/minor (?:currency )?units|cents/.test(description))).toEqual([]);
});
