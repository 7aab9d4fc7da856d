import type { CatalogueField, MutationId } from '@finhook/contracts/catalogue';
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Fold } from '../components/fold.tsx';
import { Form } from '../components/form.tsx';
import { CompanyContext } from '../components/shell/company-context.ts';
import { fieldError, fieldOf, textIn } from '../lib/problem.ts';
import type { Input } from '../lib/trpc.ts';
import { ConflictNotice, useConflict } from './conflict.tsx';
import { FieldControl, type FieldOptions } from './field-control.tsx';
import { editedFields, type ReadField, type Reading, readValue } from './field-values.ts';
import { fields as catalogueFields } from './fields.catalogue.ts';
import { type OperationOptions, useOperation } from './use-operation.ts';

export type ErrorOf = (path: string) => string | undefined;

/** A custom control. Without `read`, the form does not send the field. */
export interface FieldSlot {
  slot: (errorOf: ErrorOf, currency: string) => ReactNode;
  read?: ReadField;
  fold?: string;
  label?: string;
}

type NamesIn<Value> = Value extends unknown ? keyof Value : never;
export type FieldsOf<Id extends MutationId> = { [Name in NamesIn<Input<Id>>]?: FieldOptions | FieldSlot };

export interface OperationFormProps<Id extends MutationId> extends OperationOptions<Id> {
  operation: Id;
  submit: string;
  fields?: FieldsOf<Id>;
  fixed: Partial<Input<Id>>;
  /** The record to update: controls start with its values, and only changed fields are sent. */
  record?: object | undefined;
  /** Replaces the record as a whole: unchanged fields are sent too. */
  sendsAll?: boolean;
  /** What the form replaces, if it is not `record`. */
  replaces?: object;
  /** Shows the stored record instead of the edits, after a change by others; else the form is cancelled. */
  onDiscard?: () => void;
  resets?: boolean;
  danger?: boolean;
  onCancel?: () => void;
  error?: unknown;
  children?: ReactNode;
}

function isSlot(options: FieldOptions | FieldSlot): options is FieldSlot {
  return 'slot' in options;
}

export function asInput<Id extends MutationId>(values: object): Input<Id> {
  return values as Input<Id>;
}

type Fields = Readonly<Record<string, FieldOptions | FieldSlot | undefined>>;
interface Values {
  values: Record<string, unknown>;
  faults: Readonly<Record<string, string>>;
}

export function readFields(
  operation: MutationId,
  fields: Fields,
  data: FormData,
  reading: Omit<Reading, 'stored'>,
  record: object = {},
): Values {
  const values: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const [name, options] of Object.entries(fields)) {
    const field = catalogueFields[operation]?.[name];
    if (options === undefined || field === undefined) continue;
    const value = options.read
      ? options.read(data, reading.currency)
      : isSlot(options)
        ? undefined
        : readValue(field, data, {
            ...reading,
            boxes: options.choices !== undefined,
            stored: Reflect.get(record, name),
          });
    if (value === undefined) continue;
    if ('fault' in value) faults[name] = value.fault;
    else if (value.value !== undefined) values[name] = value.value;
  }
  return { values, faults };
}

interface OperationFieldsProps<Id extends MutationId> {
  operation: Id;
  fields: FieldsOf<Id> | undefined;
  record?: object | undefined;
  isUpdate?: boolean;
  error: unknown;
}

export function useOperationFields<Id extends MutationId>(props: OperationFieldsProps<Id>) {
  const { operation, fields = {}, record, isUpdate = false } = props;
  const company = useContext(CompanyContext);
  const [currency, setCurrency] = useState(
    textIn(record, 'currency') ??
      textIn(record, 'base_currency') ??
      textIn(fieldOf(fields, 'base_currency'), 'initial') ??
      company?.base_currency ??
      'USD',
  );
  const [found, setFound] = useState<{ faults: Readonly<Record<string, string>>; error: Error }>();
  const error = found?.error ?? props.error;
  const errorOf: ErrorOf = (path) => found?.faults[path] ?? fieldError(props.error, path);

  const readAll = (data: FormData): Values =>
    readFields(operation, fields, data, { zone: company?.timezone ?? 'UTC', currency, isUpdate }, record);

  function read(data: FormData): Record<string, unknown> | undefined {
    const { values, faults } = readAll(data);
    const isFaulty = Object.keys(faults).length > 0;
    setFound(isFaulty ? { faults, error: new Error('Check the marked fields.') } : undefined);
    return isFaulty ? undefined : values;
  }

  function control([name, options]: readonly [string, FieldOptions | FieldSlot | undefined]): ReactNode {
    const field: CatalogueField | undefined = catalogueFields[operation]?.[name];
    if (options === undefined || field === undefined) return null;
    if (isSlot(options)) return <Slot key={name}>{options.slot(errorOf, currency)}</Slot>;
    return (
      <FieldControl
        key={options.key ?? name}
        field={field}
        options={options}
        record={record}
        currency={currency}
        onCurrency={setCurrency}
        error={errorOf(name)}
      />
    );
  }

  const folds = Map.groupBy(
    Object.entries<FieldOptions | FieldSlot | undefined>(fields),
    ([, options]) => options?.fold,
  );
  const controls = [...folds].map(([title, entries]) => {
    if (title === undefined) return <Grid key="shown">{entries.map(control)}</Grid>;
    return (
      <Fold
        key={title}
        title={title}
        opens={entries.some(([name]) => errorOf(name) !== undefined)}
        className="rounded-md border"
        titleClass="px-4 py-3 text-sm font-medium"
      >
        <div className="border-t p-4">
          <Grid>{entries.map(control)}</Grid>
        </div>
      </Fold>
    );
  });
  return { controls, read, readAll, error, currency };
}

export function OperationForm<Id extends MutationId>(props: OperationFormProps<Id>): React.JSX.Element {
  const {
    operation,
    submit,
    fixed,
    record,
    sendsAll = false,
    resets = false,
    danger = false,
    onCancel,
    children,
  } = props;
  // The controls' initial values; the record may change while they are open.
  const [shown] = useState(record);
  const isUpdate = shown !== undefined && !sendsAll;
  const mutation = useOperation<Id>(operation, {
    done: props.done,
    onDone: props.onDone,
    onError: props.onError,
    quiet: true,
  });
  const { fields } = props;
  const { controls, read, readAll, error, currency } = useOperationFields<Id>({
    operation,
    fields,
    record: shown,
    isUpdate,
    error: mutation.error,
  });

  const before = props.replaces ?? shown;
  const { conflict, guard, accept, ...checked } = useConflict({ operation, fixed, before, last: mutation });
  const formRef = useRef<HTMLFormElement>(null);
  const unedited = useRef<Record<string, unknown>>(undefined);
  useEffect(() => {
    if (formRef.current) unedited.current ??= readAll(new FormData(formRef.current)).values;
  });

  function send(data: FormData, form: HTMLFormElement): void {
    const values = read(data);
    if (values === undefined) return;
    const changed = isUpdate ? editedFields(shown, unedited.current ?? {}, values) : values;
    if (isUpdate && Object.keys(changed).length === 0) {
      onCancel?.();
      return;
    }
    const input = asInput<Id>({ ...fixed, ...changed });
    const save = (): void => mutation.mutate(input, { onSuccess: () => resets && form.reset() });
    if (isUpdate) guard({ input, mine: changed, names: Object.keys(changed) }, save);
    else if (sendsAll) guard({ input, mine: changed, names: Object.keys(fields ?? {}) }, save);
    else save();
  }

  return (
    <Form
      ref={formRef}
      submit={submit}
      onSubmit={send}
      busy={checked.isChecking || mutation.isPending}
      danger={danger}
      error={props.error ?? error ?? checked.error}
      {...(onCancel && { onCancel })}
    >
      {children !== undefined && <div className="flex flex-col gap-3 text-sm">{children}</div>}
      {conflict && (
        <ConflictNotice
          conflict={conflict}
          operation={operation}
          fields={fields}
          currency={currency}
          onKeep={() => {
            accept();
            formRef.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
            formRef.current?.requestSubmit();
          }}
          onDiscard={props.onDiscard ?? onCancel}
        />
      )}
      {controls}
    </Form>
  );
}

function Grid({ children }: { children: ReactNode }): React.JSX.Element {
  return <div className="grid gap-4 sm:grid-cols-2">{children}</div>;
}

function Slot({ children }: { children: ReactNode }): React.JSX.Element {
  return <div className="flex flex-col gap-4 sm:col-span-2">{children}</div>;
}
