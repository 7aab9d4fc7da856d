import { z } from 'zod';
import { isSecretName, maskText } from './mask-secrets.ts';

export type EnvSource = Readonly<Record<string, string | undefined>>;

/** The message lists every problem, one line per variable. */
export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
    super(`The configuration has ${count}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** An empty value counts as absent. @throws EnvError with every problem, its `describe()` text, and no secret */
export function loadEnv<S extends z.ZodObject>(schema: S, source: EnvSource): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = source[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new EnvError(result.error.issues.map((issue) => describe(schema, issue, given)));
}

function describe(schema: z.ZodObject, issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0] ?? '');
  if (name === '') return issue.message;
  const shape: Readonly<Record<string, unknown>> = schema.shape;
  const remedy = descriptionOf(shape[name]);
  const value = given[name];
  return [`${name} ${problemOf(name, value, issue)}.`, ...(remedy === undefined ? [] : [remedy])].join(' ');
}

function problemOf(name: string, value: unknown, issue: z.core.$ZodIssue): string {
  if (value === undefined) return 'is missing';
  // A schema's message may contain the value, and the password of a malformed URL can't be masked.
  if (mayHoldSecret(name)) return 'is not valid (its value is not shown)';
  return `is ${maskText(JSON.stringify(value))}: ${lowerFirst(maskText(issue.message))}`;
}

function mayHoldSecret(name: string): boolean {
  return isSecretName(name) || /KEY|SECRET|PASSWORD|TOKEN|PEPPER|_URL$/i.test(name);
}

/** Every zod schema has a description; the core type of a shape doesn't declare it. */
function descriptionOf(schema: unknown): string | undefined {
  if (schema instanceof z.ZodOptional && schema.description === undefined) return descriptionOf(schema.unwrap());
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return undefined;
  return typeof schema.description === 'string' ? schema.description : undefined;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}

/** Prints an EnvError without a stack and exits with code 1. */
export function envOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}
