import { isObject, type JsonObject } from './json.ts';

/** The records that answers have shown, by what parameters are called: `step_key` is the `key` of a `…_step`. */
export interface KnownRecords {
  learn(answer: unknown): void;
  find(parameter: string): string | undefined;
  /** Has the next request for it make a new one. */
  forget(parameter: string): void;
}

/** Whether a parameter like `connection_id` can name a record whose `object` is `bank_connection`. */
export function canName(parameter: string, record: string): boolean {
  const noun = nounOf(parameter);
  return record === noun || record.endsWith(`_${noun}`);
}

function nounOf(parameter: string): string {
  return parameter.slice(0, parameter.lastIndexOf('_'));
}

export function createKnownRecords(): KnownRecords {
  const records = new Map<string, JsonObject>();

  function learn(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) learn(item);
    if (!isObject(value)) return;
    for (const item of Object.values(value)) learn(item);
    if (typeof value['object'] === 'string') records.set(value['object'], value);
  }

  function nameOf(parameter: string): string {
    const noun = nounOf(parameter);
    return records.has(noun) ? noun : ([...records.keys()].find((name) => canName(parameter, name)) ?? '');
  }

  return {
    learn,
    find(parameter) {
      const value = records.get(nameOf(parameter))?.[parameter.slice(parameter.lastIndexOf('_') + 1)];
      return typeof value === 'string' ? value : undefined;
    },
    forget: (parameter) => void records.delete(nameOf(parameter)),
  };
}
