import type { CatalogueField, MutationId } from '@finhook/contracts/catalogue';
import { type ReactNode, useContext, useState } from 'react';
import { Form } from '../components/form.tsx';
import { CompanyContext } from '../components/shell/company-context.ts';
import { fieldError } from '../lib/problem.ts';
import type { Input } from '../lib/trpc.ts';
import { FieldControl, type FieldOptions } from './field-control.tsx';
import { dirtyFields, type ReadValue, readValue } from './field-values.ts';
import { fields as catalogueFields } from './fields.catalogue.ts';
import { type OperationOptions, useOperation } from './use-operation.ts';

export type ErrorOf = (path: string) => string | undefined;

export interface FieldSlot {
  slot: (errorOf: ErrorOf, currency: string) => ReactNode;
  read?: (data: FormData, currency: string) => ReadValue;
}

type NamesIn<Value> = Value extends unknown ? keyof Value : never;
/** Fields of an input; for a union, those of all members. */
type FieldsOf<Id extends MutationId> = { [Name in NamesIn<Input<Id>>]?: FieldOptions | FieldSlot };

export interface OperationFormProps<Id extends MutationId> extends OperationOptions<Id> {
  operation: Id;
  submit: string;
  fields?: FieldsOf<Id>;
  fixed: Partial<Input<Id>>;
  /** The record to update: controls start with its values, and only changed fields are sent. */
  record?: object | undefined;
  whole?: boolean;
  resets?: boolean;
  danger?: boolean;
  onCancel?: () => void;
  error?: unknown;
  children?: ReactNode;
}

function isSlot(options: FieldOptions | FieldSlot): options is FieldSlot {
  return 'slot' in options;
}

function asInput<Id extends MutationId>(values: object): Input<Id> {
  return values as Input<Id>;
}

function textIn(record: object | undefined, name: string): string | undefined {
  const value: unknown = record === undefined ? undefined : Reflect.get(record, name);
  return typeof value === 'string' ? value : undefined;
}

function initialCurrency(fields: object | undefined): string | undefined {
  const options: unknown = fields === undefined ? undefined : Reflect.get(fields, 'base_currency');
  return typeof options === 'object' && options !== null ? textIn(options, 'initial') : undefined;
}

const none: Readonly<Record<string, string>> = {};

/** A form generated from the catalogue: it reads its fields, calls the operation, and shows errors at their fields. */
export function OperationForm<Id extends MutationId>(props: OperationFormProps<Id>): React.JSX.Element {
  const { operation, submit, fixed, record, whole = false, resets = false, danger = false, onCancel, children } = props;
  const company = useContext(CompanyContext);
  // The controls' initial values; the record may change while they are open.
  const [shown] = useState(record);
  const [currency, setCurrency] = useState(
    textIn(record, 'currency') ??
      textIn(record, 'base_currency') ??
      initialCurrency(props.fields) ??
      company?.base_currency ??
      'USD',
  );
  const [faults, setFaults] = useState(none);
  const mutation = useOperation<Id>(operation, { done: props.done, onDone: props.onDone, quiet: true });
  const shownFields = Object.entries<FieldOptions | FieldSlot | undefined>(props.fields ?? {});
  const errorOf: ErrorOf = (path) => faults[path] ?? fieldError(mutation.error, path);

  function read(data: FormData): Record<string, unknown> | undefined {
    const values: Record<string, unknown> = {};
    const found: Record<string, string> = {};
    for (const [name, options] of shownFields) {
      const field = catalogueFields[operation]?.[name];
      if (options === undefined || field === undefined) continue;
      const value = isSlot(options)
        ? options.read?.(data, currency)
        : readValue(field, data, {
            zone: company?.timezone ?? 'UTC',
            currency,
            isUpdate: shown !== undefined && !whole,
            boxes: options.choices !== undefined,
            verbatim: options.verbatim,
          });
      if (value === undefined) continue;
      if ('fault' in value) found[name] = value.fault;
      else if (value.value !== undefined) values[name] = value.value;
    }
    setFaults(found);
    return Object.keys(found).length === 0 ? values : undefined;
  }

  function send(data: FormData, form: HTMLFormElement): void {
    const values = read(data);
    if (values === undefined) return;
    const changed = shown === undefined || whole ? values : dirtyFields(shown, values);
    if (shown !== undefined && !whole && Object.keys(changed).length === 0) onCancel?.();
    else mutation.mutate(asInput<Id>({ ...fixed, ...changed }), { onSuccess: () => resets && form.reset() });
  }

  return (
    <Form
      submit={submit}
      onSubmit={send}
      busy={mutation.isPending}
      danger={danger}
      error={props.error ?? mutation.error}
      {...(onCancel && { onCancel })}
    >
      {children !== undefined && <div className="flex flex-col gap-3 text-sm">{children}</div>}
      {shownFields.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {shownFields.map(([name, options]) => {
            const field: CatalogueField | undefined = catalogueFields[operation]?.[name];
            if (options === undefined || field === undefined) return null;
            if (isSlot(options)) return <Slot key={name}>{options.slot(errorOf, currency)}</Slot>;
            return (
              <FieldControl
                key={name}
                field={field}
                options={options}
                record={shown}
                currency={currency}
                onCurrency={setCurrency}
                error={errorOf(name)}
              />
            );
          })}
        </div>
      )}
    </Form>
  );
}

function Slot({ children }: { children: ReactNode }): React.JSX.Element {
  return <div className="flex flex-col gap-4 sm:col-span-2">{children}</div>;
}
