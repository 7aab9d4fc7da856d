import {
  allEventTypes,
  errorCodes,
  eventDefinition,
  eventEnvelope,
  isOperation,
  maxBatchCalls,
  type Operation,
  operationList,
  operations,
  problem,
} from '@finhook/contracts';
import { z } from 'zod';
import { samples, thinSamples } from '../src/samples.ts';
import { comment, type Direction, declare, quote, type Schema, toType } from './to-typescript.ts';

// Plain interfaces, because an application that infers the types from the schemas pays for it with every compilation.

const pascal = (path: string): string =>
  path.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Declarations by name, in the order in which they are needed first. */
type Declarations = Map<string, string>;

/** Declares the named schemas in `schema`, which then refers to them. */
function read(declarations: Declarations, schema: z.ZodType, io: Direction): Schema {
  const { $defs = {}, ...rest } = asSchema(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  for (const [name, definition] of Object.entries($defs))
    if (!declarations.has(name)) declarations.set(name, declare(name, definition, io));
  return rest;
}

// zod's type of a schema also allows `true` and `false`, which it never generates.
function asSchema(schema: unknown): Schema {
  return schema as Schema;
}

function add(declarations: Declarations, name: string, text: string): void {
  if (declarations.has(name)) throw new Error(`Two types would be named ${name}.`);
  declarations.set(name, text);
}

interface Tree {
  readonly [name: string]: Operation | Tree;
}

function methods(declarations: Declarations, tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, node]) =>
      isOperation(node)
        ? method(declarations, name, node, indent)
        : `${indent}readonly ${name}: {\n${methods(declarations, node, `${indent}  `)}${indent}};\n`,
    )
    .join('');
}

function method(declarations: Declarations, name: string, operation: Operation, indent: string): string {
  const output = read(declarations, operation.output, 'output');
  const inputName = `${pascal(operation.id)}Input`;
  const input = read(declarations, operation.input, 'input');
  add(declarations, inputName, declare(inputName, { description: `Input of \`${operation.id}\`.`, ...input }, 'input'));
  const isOptional = operation.input.safeParse({}).success;
  const type = toType(output, 'output');
  const result = `PagePromise<${type}, ${type.replace(/List$/, '')}>`;
  const page = operation.output instanceof z.ZodObject && 'next_cursor' in operation.output.shape;
  const documentation = comment(`${operation.summary}.\n\n${operation.description}`, indent);
  return `${documentation}${indent}${name}(input${isOptional ? '?' : ''}: ${inputName}, options?: CallOptions): ${page ? result : `Promise<${type}>`};\n`;
}

function eventDeclarations(declarations: Declarations): string {
  const { properties = {}, ...envelope } = read(new Map(), eventEnvelope, 'output');
  for (const type of allEventTypes) {
    const { description, data, thin } = eventDefinition(type);
    const schema = {
      ...envelope,
      properties: {
        ...properties,
        type: { const: type, description: 'Type of the event.' },
        data: read(declarations, data, 'output'),
      },
    };
    add(declarations, `${pascal(type)}Event`, declare(`${pascal(type)}Event`, { description, ...schema }, 'output'));
    const thinSchema = {
      ...schema,
      properties: { ...schema.properties, data: read(declarations, thin.schema, 'output') },
    };
    const thinName = `${pascal(type)}ThinEvent`;
    add(declarations, thinName, declare(thinName, { description, ...thinSchema }, 'output'));
  }
  return [
    `/** Name of an event type. */\nexport type WebhookEventType = ${allEventTypes.map(quote).join(' | ')};\n`,
    `/** An event of a type that this version knows; \`type\` selects the type of \`data\`. */\nexport type WebhookEvent = ${allEventTypes.map((type) => `${pascal(type)}Event`).join(' | ')};\n`,
    `/** An event as endpoints with \`payload: thin\` get it. */\nexport type ThinWebhookEvent = ${allEventTypes.map((type) => `${pascal(type)}ThinEvent`).join(' | ')};\n`,
  ].join('\n');
}

function problemDeclaration(declarations: Declarations): string {
  const codes = `/** Code of a problem document. */\nexport type ErrorCode = ${errorCodes.map(quote).join(' | ')};\n`;
  // Some codes have members of their own besides.
  const { properties = {}, ...schema } = read(declarations, z.looseObject(problem.shape), 'output');
  const code = { ...properties['code'], $ref: '#/$defs/ErrorCode' };
  const description = z.globalRegistry.get(problem)?.description ?? '';
  return `${codes}\n${declare('Problem', { description, ...schema, properties: { ...properties, code } }, 'output')}`;
}

function values(): string {
  const ids = (isQuery: boolean) =>
    operationList.filter(({ http }) => (http.method === 'GET') === isQuery).map(({ id }) => quote(id));
  return [
    `export const webhookEventTypes: readonly WebhookEventType[] = [${allEventTypes.map(quote).join(', ')}];`,
    `export const queries: readonly string[] = [${ids(true).join(', ')}];`,
    `export const mutations: readonly string[] = [${ids(false).join(', ')}];`,
    `export const maxBatchCalls = ${maxBatchCalls};`,
  ].join('\n');
}

/** The source that takes the place of `src/contracts.ts` in the packed client. */
export function generateContracts(): string {
  const declarations: Declarations = new Map();
  const tree = methods(declarations, operations, '  ');
  const eventTypes = eventDeclarations(declarations);
  const problemTypes = problemDeclaration(declarations);
  const client = `/** A method for every operation of the service. */\nexport interface FinhookClient {\n${tree}}\n`;
  return [
    "import type { CallOptions, PagePromise } from './method.ts';\n",
    ...declarations.values(),
    problemTypes,
    eventTypes,
    client,
    values(),
    '',
  ].join('\n');
}

/** The source that takes the place of `src/samples.ts`. */
export function generateSamples(): string {
  const type = 'Readonly<Record<string, Readonly<Record<string, unknown>>>>';
  return Object.entries({ samples, thinSamples })
    .map(([name, value]) => `export const ${name}: ${type} = ${JSON.stringify(value)};\n`)
    .join('');
}
