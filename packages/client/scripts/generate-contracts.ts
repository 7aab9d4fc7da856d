import {
  allEventTypes,
  type Direction,
  errorCodes,
  eventDefinition,
  eventEnvelope,
  type Field,
  fieldNamed,
  fieldOf,
  isOperation,
  maxBatchCalls,
  type Operation,
  operationList,
  operations,
  problem,
} from '@finhook/contracts';
import { z } from 'zod';
import { samples, thinSamples } from '../src/samples.ts';
import { comment, declare, quote, toType } from './to-typescript.ts';

// Plain interfaces, because inferring the types from schemas slows down every compilation of an application.

const pascal = (path: string): string =>
  path.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Declarations by name, in the order of their first use. */
type Declarations = Map<string, string>;

/** The tree of a schema, whose components are declared. */
function read(declarations: Declarations, schema: z.ZodType, direction: Direction): Field {
  const field = fieldOf(schema, direction);
  declareComponents(declarations, field, direction);
  return field;
}

function declareComponents(declarations: Declarations, field: Field, direction: Direction): void {
  const { component, fields = [], variants = [], item } = field;
  if (component && !declarations.has(component.name)) {
    const definition = { ...field, component: undefined, nullable: false, description: component.description };
    declarations.set(component.name, declare(component.name, definition, direction));
  }
  for (const inner of [...fields, ...variants, ...(item ? [item] : [])])
    declareComponents(declarations, inner, direction);
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
  add(
    declarations,
    inputName,
    declare(inputName, { ...input, description: input.description ?? `Input of \`${operation.id}\`.` }, 'input'),
  );
  const isOptional = operation.input.safeParse({}).success;
  const type = toType(output, 'output');
  const result = `PagePromise<${type}, ${type.replace(/List$/, '')}>`;
  const isPage = fieldNamed(output, 'next_cursor') !== undefined;
  const documentation = comment(`${operation.summary}.\n\n${operation.description}`, indent);
  return `${documentation}${indent}${name}(input${isOptional ? '?' : ''}: ${inputName}, options?: CallOptions): ${isPage ? result : `Promise<${type}>`};\n`;
}

function eventDeclarations(declarations: Declarations): string {
  const envelope = fieldOf(eventEnvelope, 'output');
  for (const type of allEventTypes) {
    const { description, data, thin } = eventDefinition(type);
    const constant = fieldOf(z.literal(type).describe('Type of the event.'), 'output', 'type');
    const declareEvent = (name: string, content: z.ZodType) => {
      const given = [constant, { ...read(declarations, content, 'output'), name: 'data' }];
      const fields = envelope.fields?.map((field) => given.find(({ name: own }) => own === field.name) ?? field);
      add(declarations, name, declare(name, { ...envelope, fields, description }, 'output'));
    };
    declareEvent(`${pascal(type)}Event`, data);
    declareEvent(`${pascal(type)}ThinEvent`, thin.schema);
  }
  return [
    `/** Name of an event type. */\nexport type WebhookEventType = ${allEventTypes.map(quote).join(' | ')};\n`,
    `/** An event of a type that this version knows; \`type\` selects the type of \`data\`. */\nexport type WebhookEvent = ${allEventTypes.map((type) => `${pascal(type)}Event`).join(' | ')};\n`,
    `/** An event as endpoints with \`payload: thin\` get it. */\nexport type ThinWebhookEvent = ${allEventTypes.map((type) => `${pascal(type)}ThinEvent`).join(' | ')};\n`,
  ].join('\n');
}

function problemDeclaration(declarations: Declarations): string {
  const codes = `/** Code of a problem document. */\nexport type ErrorCode = ${errorCodes.map(quote).join(' | ')};\n`;
  // Some codes have additional members.
  const open = read(declarations, z.looseObject(problem.shape), 'output');
  const code = { name: 'ErrorCode', description: undefined };
  const fields = open.fields?.map((field) => (field.name === 'code' ? { ...field, component: code } : field));
  const { description } = fieldOf(problem, 'output');
  return `${codes}\n${declare('Problem', { ...open, fields, description }, 'output')}`;
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

/** Replaces `src/contracts.ts` in the packed client. */
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

/** Replaces `src/samples.ts`. */
export function generateSamples(): string {
  const type = 'Readonly<Record<string, Readonly<Record<string, unknown>>>>';
  return Object.entries({ samples, thinSamples })
    .map(([name, value]) => `export const ${name}: ${type} = ${JSON.stringify(value)};\n`)
    .join('');
}
