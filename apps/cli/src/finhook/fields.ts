import { readFileSync } from 'node:fs';
import type { CatalogueField, CatalogueType } from '@finhook/contracts/catalogue';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { reasonOf } from '../reason-of.ts';
import type { StandardInput } from '../terminal.ts';
import { usageFailure } from './failure.ts';
import type { Input } from './http-api.ts';
import { flagName } from './names.ts';
import { pathFields, type TableOperation } from './table.ts';

const MAX_LISTED = 20;

const placeholders: Readonly<Record<CatalogueType, string>> = {
  text: '<text>',
  integer: '<integer>',
  number: '<number>',
  boolean: '',
  date: '<YYYY-MM-DD>',
  instant: '<time>',
  enum: '<value>',
  list: '<value>',
  object: '<json>',
  text_or_object: '<text|json>',
  json: '<json>',
};

const repeated: Partial<Record<CatalogueType, string>> = {
  object: 'repeat it; each value is JSON',
  json: 'repeat it; each value is JSON',
  text_or_object: 'repeat it; each value is a text, or an object as JSON',
};

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${reasonOf(error)}.`);
  }
}

function parseNumber(text: string, isInteger: boolean): number {
  const value = Number(text);
  const fits = isInteger ? /^-?\d+$/.test(text) && Number.isSafeInteger(value) : /^-?\d+(\.\d+)?$/.test(text);
  if (!fits) throw new InvalidArgumentError(isInteger ? 'It is not an integer.' : 'It is not a number.');
  return value;
}

function parseOne(type: CatalogueType, options: readonly string[] | undefined, text: string): unknown {
  if (options && !options.includes(text)) {
    throw new InvalidArgumentError(`It is none of ${options.join(', ')}.`);
  }
  if (type === 'integer' || type === 'number') return parseNumber(text, type === 'integer');
  if (type === 'object' || type === 'json') return parseJson(text);
  if (type === 'text_or_object' && text.startsWith('{')) return parseJson(text);
  return text;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The type of one value of a list. One that is a list itself is JSON. */
function itemTypeOf({ items = 'text' }: CatalogueField): CatalogueType {
  return items === 'list' ? 'json' : items;
}

function parserOf(field: CatalogueField) {
  const { type, options } = field;
  return (text: string, previous: unknown): unknown => {
    if (type !== 'list') return parseOne(type, options, text);
    return [...asList(previous), parseOne(itemTypeOf(field), options, text)];
  };
}

function isEventType({ name, options = [] }: CatalogueField): boolean {
  return ['event', 'events', 'types'].includes(name) || options.includes('company.created');
}

function describe(field: CatalogueField): string {
  const { description = '', type, options, required, unit, min, max } = field;
  const rules = [
    required && 'required',
    type === 'list' && (repeated[itemTypeOf(field)] ?? 'repeat it'),
    options && options.length <= MAX_LISTED && `one of ${options.join(', ')}`,
    isEventType(field) && 'finhook event-types list shows them',
    unit && `in ${unit.replace('_', ' ')}`,
    type === 'integer' && min !== undefined && max !== undefined && `${min} to ${max}`,
  ].filter(Boolean);
  return rules.length === 0 ? description : `${description} (${rules.join('; ')})`;
}

function optionsOf(field: CatalogueField): Option[] {
  const flag = flagName(field.name);
  const description = describe(field).replaceAll('`', '');
  if (field.type === 'boolean')
    return [new Option(flag, description), new Option(flag.replace('--', '--no-'), 'The same as false.')];
  const placeholder = placeholders[field.type === 'list' ? itemTypeOf(field) : field.type];
  return [new Option(`${flag} ${placeholder}`, description).argParser(parserOf(field))];
}

const attributeOf = (name: string): string => new Option(flagName(name)).attributeName();

/** Adds a flag per input, and the inputs of the path as arguments too. */
export function addInputs(command: Command, operation: TableOperation): void {
  const { fields } = operation;
  for (const name of pathFields(operation)) command.argument(`[${name}]`);
  for (const option of fields.flatMap(optionsOf)) command.addOption(option);
  if (fields.length === 0) return;
  command
    .option('--input <file>', 'JSON object with inputs, from a file or from - for stdin; flags win over it')
    .option(
      '--null <input>',
      'set an input to null, which clears it (repeat it)',
      (name: string, previous: string[] | undefined): string[] => [...(previous ?? []), name],
    );
}

function readInputFile(file: unknown, stdin: StandardInput): Record<string, unknown> {
  if (typeof file !== 'string') return {};
  let json: unknown;
  try {
    json = JSON.parse((file === '-' ? stdin.readAll() : readFileSync(file)).toString());
  } catch (error) {
    throw usageFailure(`--input ${file} can't be read: ${reasonOf(error)}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw usageFailure(`--input ${file} is not a JSON object.`);
  return { ...json };
}

function nullsOf({ fields }: TableOperation, names: unknown): Record<string, null> {
  return Object.fromEntries(
    asList(names)
      .map(String)
      .map((given) => {
        const name = given.replace(/^--/, '').replaceAll('-', '_');
        const field = fields.find((each) => each.name === name);
        if (field?.nullable !== true)
          throw usageFailure(`--null ${given}: there is no input of this name that can be null.`);
        return [name, null];
      }),
  );
}

/** The operation's input from arguments, flags and --input. Throws a usage failure for what is missing. */
export function readInput(
  each: TableOperation,
  args: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  stdin: StandardInput,
): Input {
  const path = pathFields(each);
  const given = each.fields.map(({ name }): [string, unknown] => [name, flags[attributeOf(name)]]);
  const input = {
    ...readInputFile(flags['input'], stdin),
    ...nullsOf(each, flags['null']),
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(path.flatMap((name, i) => (args[i] === undefined ? [] : [[name, args[i]]]))),
  };
  const missing = each.fields.filter(({ name, required }) => required && !Object.hasOwn(input, name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => (path.includes(name) ? `<${name}>` : flagName(name)));
    throw usageFailure(`Missing: ${names.join(', ')}. Each is described by --help.`);
  }
  const empty = path.find((name) => input[name] === '');
  if (empty !== undefined) throw usageFailure(`<${empty}> is empty.`);
  return input;
}
