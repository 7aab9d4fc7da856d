import type { OperationId } from '@finhook/contracts/catalogue';
import type { Input } from '../lib/trpc.ts';
import { fields, filters } from './fields.catalogue.ts';

type OptionOf<Value> = Extract<Value extends readonly (infer Item)[] ? Item : Value, string>;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- one cast for all enumerations
function asOptions<Value extends string>(values: readonly string[]): readonly Value[] {
  return values as readonly Value[];
}

export function optionsOf<Id extends OperationId, Name extends keyof Input<Id> & string>(
  operation: Id,
  name: Name,
): readonly OptionOf<Input<Id>[Name]>[] {
  const values = filters[operation]?.[name] ?? fields[operation]?.[name]?.options;
  if (values === undefined) throw new Error(`${operation} has no options for ${name}.`);
  return asOptions(values);
}

export function optionOf<Id extends OperationId, Name extends keyof Input<Id> & string>(
  operation: Id,
  name: Name,
  text: string | undefined,
): OptionOf<Input<Id>[Name]> | undefined {
  return optionsOf(operation, name).find((value) => value === text);
}
