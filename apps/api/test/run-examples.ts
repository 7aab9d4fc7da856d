import type { Operation } from '@finhook/contracts';
import { expect, inject } from 'vitest';
import { type OperationExample, operationExamples } from '../src/docs/examples/operation-examples.ts';
import { openApiFixture } from './api-fixture.ts';
import { inputFor, walkOrder } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

export interface RunnableExample {
  /** The operation's. */
  id: string;
  code: string;
}

/** Runs the examples in order; returns a line `# <operation>: ok` for each, or its error. */
type Run = (
  examples: readonly RunnableExample[],
  env: { FINHOOK_URL: string; FINHOOK_API_KEY: string },
) => Promise<string>;

/** Runs examples, of every operation by default, on an account with a record of each kind. */
export async function expectExamplesToSucceed(
  language: OperationExample['language'],
  run: Run,
  operations: readonly Operation[] = walkOrder,
): Promise<void> {
  const fixture = await openApiFixture(inject('pgUrl'));
  try {
    const seed = await seedTenant(fixture);
    const examples = operations.map((operation) => {
      const { code = '' } = operationExamples(operation).find((example) => example.language === language) ?? {};
      return { id: operation.id, code: withIds(code, Object.values(inputFor(operation, seed))) };
    });
    const output = await run(examples, { FINHOOK_URL: fixture.url, FINHOOK_API_KEY: fixture.apiKey });
    const reported = [...output.matchAll(/^# (.*)$/gm)].map(([, line]) => line);
    expect(reported).toEqual(examples.map(({ id }) => `${id}: ok`));
  } finally {
    await fixture.close();
  }
}

function withIds(code: string, ids: readonly unknown[]): string {
  return ids.map(String).reduce((text, id) => {
    const [prefix] = /^[a-z]+_(?=[0-9a-z]{26}$)/.exec(id) ?? [];
    return prefix === undefined ? text : text.replaceAll(`${prefix}01kgw3q2m8v7d5n0r4t6x9zabc`, id);
  }, code);
}
