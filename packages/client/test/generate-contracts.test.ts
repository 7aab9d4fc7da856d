// Risk: a schema of a new kind becomes `unknown` in what users install, or two records get one name.
import { fieldOf } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generateContracts } from '../scripts/generate-contracts.ts';
import { declare } from '../scripts/to-typescript.ts';

const source = generateContracts();

test('an operation has its description, its input and its result; a page can be iterated', () => {
  expect(source).toContain(
    'list(input?: CompaniesListInput, options?: CallOptions): PagePromise<CompanyList, Company>;',
  );
  expect(source).toContain(
    'upsert(input: CashBalancesUpsertInput, options?: CallOptions): Promise<CashBalanceResult>;',
  );
  expect(source).toMatch(/\* Create a company\.\n +\*\n +\* The company is `active`/);
});

test('a problem has the members of the schema, and others', () => {
  const [, members = ''] = /export interface Problem {\n([^]*?)\n}\n/.exec(source) ?? [];
  expect(members).toContain('  code: ErrorCode;\n');
  expect(members).toContain('  errors?: FieldError[];\n');
  expect(members).toContain("  owner_scope?: 'human' | 'ingest';\n");
  expect(members).toContain('  [key: string]: unknown;');
});

test('every name that is used is declared', () => {
  const declared = new Set([...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name));
  const code = source.replace(/\/\*\*[^]*?\*\//g, '').replace(/'[^'\n]*'/g, '');
  const used = [...code.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name);
  const known = ['CallOptions', 'PagePromise', 'Promise', 'Record'];
  expect([...new Set(used)].filter((name) => !declared.has(name) && !known.includes(name))).toEqual([]);
});

test('types, their comments and defaults', () => {
  const part = z.object({}).meta({ id: 'Part' });
  const schema = z
    .object({
      id: z.string().describe('Not the end: */'),
      kind: z.enum(['a', "b'c"]),
      size: z.int().nullable().default(5),
      parts: z.array(part.nullable()).optional(),
      any: z.unknown().optional(),
      'with-dash': z.record(z.string(), z.boolean()).optional(),
    })
    .describe('A thing.');
  expect(declare('Thing', fieldOf(schema, 'input'), 'input')).toBe(`/** A thing. */
export interface Thing {
  /** Not the end: *\\/ */
  id: string;
  kind: 'a' | 'b\\'c';
  /** Default: \`5\`. */
  size?: number | null | undefined;
  parts?: (Part | null)[] | undefined;
  any?: unknown | undefined;
  'with-dash'?: Record<string, boolean> | undefined;
}
`);
  expect(declare('Ids', fieldOf(z.array(z.string()), 'output'), 'output')).toBe('export type Ids = string[];\n');
});
