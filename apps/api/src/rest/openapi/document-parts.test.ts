// Risk: the part of a tag is not OpenAPI, misses a component or an operation, or brings along what it does not refer to.
import { operationList } from '@finhook/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { createOpenApiDocument } from './create-openapi-document.ts';
import { documentParts } from './document-parts.ts';

const document = JSON.stringify(createOpenApiDocument());
const parts = documentParts(() => document);
const ids = (text: string): string[] => [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id = '']) => id);

test.each(parts)('%s is valid OpenAPI 3.1 that contains exactly the components it refers to', async (_name, text) => {
  const part = JSON.parse(text());
  const validator = new Validator();
  const result = await validator.validate(structuredClone(part));
  expect(result.errors).toBeUndefined();
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
  const { securitySchemes, ...components } = part.components;
  expect(securitySchemes).toHaveProperty('apiKey');
  const contained = Object.entries<object>(components).flatMap(([kind, members]) =>
    Object.keys(members).map((name) => `#/components/${kind}/${name}`),
  );
  const named = [...text().matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
  expect(contained.toSorted()).toEqual([...new Set(named)].toSorted());
});

test('together they have every operation and webhook of the document, each once', () => {
  const callback = 'webhook';
  const found = parts.flatMap(([, text]) => ids(text())).filter((id) => id !== callback);
  expect(found.toSorted()).toEqual(
    ids(document)
      .filter((id) => id !== callback)
      .toSorted(),
  );
  expect(found).toEqual(expect.arrayContaining(operationList.map(({ id }) => id)));
});

test('their names are what addresses may contain', () => {
  for (const [name] of parts) expect(name).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  expect(new Set(parts.map(([name]) => name)).size).toBe(parts.length);
});
