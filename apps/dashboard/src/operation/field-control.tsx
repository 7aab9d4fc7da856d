import type { CatalogueField } from '@finhook/contracts/catalogue';
import { useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useContext, useId } from 'react';
import { sentenceCase } from '../components/badge.tsx';
import { OlderCompanies } from '../components/company-choice.tsx';
import { ConnectionList } from '../components/connection-list.tsx';
import { DateField } from '../components/date-field.tsx';
import { CheckField, FormerOption, Options, SelectField, TextArea, TextField } from '../components/field.tsx';
import { MoneyInput } from '../components/money-input.tsx';
import { CompanyContext, useZone } from '../components/shell/company-context.ts';
import { moneyText } from '../lib/parse-money.ts';
import { useTRPC } from '../lib/trpc.ts';
import { useCompanies } from '../lib/use-companies.ts';
import { type ReadField, shownText } from './field-values.ts';

export interface FieldOptions {
  label?: string;
  hint?: ReactNode;
  placeholder?: string;
  initial?: string | undefined;
  /** Another key shows `initial` again, in place of what was typed. */
  key?: string;
  required?: boolean;
  choices?: ReadonlyArray<readonly [value: string, label: string]>;
  none?: string;
  half?: boolean;
  type?: 'email' | 'tel' | 'url' | 'password';
  rows?: number;
  /** Reads the control, if its text has a form of its own. */
  read?: ReadField;
  fold?: string;
}

export interface FieldControlProps {
  field: CatalogueField;
  options: FieldOptions;
  record: object | undefined;
  currency: string;
  onCurrency: (currency: string) => void;
  error: string | undefined;
}

const ONE_LINE = 1_000;
const CODES = new Set(['currency', 'base_currency']);

export function fieldName({ name }: CatalogueField, options: { label?: string }): string {
  return options.label ?? sentenceCase(name.replace(/_(id|ids|at|cents)$/, ''));
}

function labelOf(field: CatalogueField, options: FieldOptions): string {
  const { type, required } = field;
  const isChosen = type === 'enum' || type === 'boolean' || options.choices !== undefined || options.none !== undefined;
  const isOptional = required !== true && options.required !== true && !isChosen && options.initial === undefined;
  const label = fieldName(field, options);
  return isOptional && !label.includes('(optional)') ? `${label} (optional)` : label;
}

export function FieldControl(props: FieldControlProps): React.JSX.Element {
  const { field, options, record, error } = props;
  const zone = useZone();
  const given: unknown = record === undefined ? undefined : Reflect.get(record, field.name);
  const shared = {
    name: field.name,
    label: labelOf(field, options),
    hint: options.hint,
    error,
    required: (field.required === true && record === undefined) || options.required === true,
    className: options.half === true ? undefined : 'sm:col-span-2',
  };
  const initial = record === undefined ? (options.initial ?? '') : shownText(field, given, zone);
  if (field.type === 'boolean') {
    return (
      <CheckField {...shared} defaultChecked={record === undefined ? options.initial === 'true' : given === true} />
    );
  }
  if (field.type === 'list' && options.choices !== undefined) {
    return <Boxes {...shared} choices={options.choices} chosen={Array.isArray(given) ? given.map(String) : []} />;
  }
  const select = <Choices field={field} options={options} initial={initial} />;
  if (field.type === 'enum' || options.choices || /^(company|agent|case)_id$/.test(field.name)) {
    return (
      <SelectField {...shared} defaultValue={initial}>
        {select}
      </SelectField>
    );
  }
  if (field.unit === 'minor_units') {
    const amount = typeof given === 'number' ? moneyText(given, props.currency) : (options.initial ?? '');
    return <MoneyInput {...shared} currency={props.currency} defaultValue={amount} />;
  }
  const isLong = field.type === 'list' || field.type === 'json' || field.type === 'object';
  const isNumber = field.type === 'integer' || field.type === 'number';
  if (isLong || (!isNumber && (field.max ?? 0) > ONE_LINE && options.type === undefined)) {
    return (
      <TextArea
        {...shared}
        rows={options.rows ?? 4}
        placeholder={options.placeholder}
        maxLength={isLong ? undefined : field.max}
        defaultValue={initial}
        className={`${shared.className ?? ''} ${field.type === 'json' || field.type === 'object' ? '[&_textarea]:font-mono' : ''}`}
      />
    );
  }
  return <Line {...props} shared={shared} initial={initial} />;
}

type Shared = Pick<
  React.ComponentProps<typeof TextField>,
  'name' | 'label' | 'hint' | 'error' | 'required' | 'className'
>;

function Line({
  field,
  options,
  currency,
  onCurrency,
  shared,
  initial,
}: FieldControlProps & { shared: Shared & { label: string }; initial: string }) {
  const list = useId();
  const zone = useZone();
  const isConnection = field.name === 'connection_id';
  if (CODES.has(field.name)) {
    return (
      <TextField
        {...shared}
        value={currency}
        maxLength={3}
        onChange={({ target }) => onCurrency(target.value.toUpperCase())}
      />
    );
  }
  if (field.type === 'date') return <DateField {...shared} defaultValue={initial} />;
  if (field.type === 'instant')
    return <DateField {...shared} time defaultValue={initial} hint={shared.hint ?? `Time zone: ${zone}`} />;
  const whole =
    field.unit === 'milliseconds'
      ? { type: 'number', min: (field.min ?? 0) / 1_000, max: field.max && field.max / 1_000, step: 'any' }
      : { type: 'number', min: field.min, max: field.max, step: 1 };
  return (
    <>
      <TextField
        {...shared}
        type={options.type}
        placeholder={options.placeholder}
        maxLength={field.type === 'text' ? field.max : undefined}
        defaultValue={initial}
        list={isConnection ? list : undefined}
        {...(field.type === 'integer' ? whole : {})}
      />
      {isConnection && <ConnectionList id={list} />}
    </>
  );
}

function Choices({ field, options, initial }: Pick<FieldControlProps, 'field' | 'options'> & { initial: string }) {
  const company = useContext(CompanyContext);
  const values = options.choices ?? field.options;
  return (
    <>
      {options.none !== undefined && <option value="">{options.none}</option>}
      {values && !isOffered(values, initial) && <FormerOption value={initial} />}
      {values && <Options values={values} />}
      {!values && field.name === 'company_id' && <CompanyOptions />}
      {!values && company && field.name === 'agent_id' && <AgentOptions companyId={company.id} />}
      {!values && company && field.name === 'case_id' && <CaseOptions companyId={company.id} />}
    </>
  );
}

type OptionValues = React.ComponentProps<typeof Options>['values'];

function isOffered(values: OptionValues, value: string): boolean {
  return value === '' || values.some((option) => (typeof option === 'string' ? option : option[0]) === value);
}

interface BoxesProps {
  name: string;
  label: string;
  choices: ReadonlyArray<readonly [value: string, label: string]>;
  chosen: readonly string[];
}

function Boxes({ name, label, choices, chosen }: BoxesProps): React.JSX.Element | null {
  if (choices.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-2 rounded-md border p-3 sm:col-span-2">
      <legend className="px-1 text-sm font-medium">{label}</legend>
      {choices.map(([value, text]) => (
        <CheckField key={value} label={text} name={name} value={value} defaultChecked={chosen.includes(value)} />
      ))}
    </fieldset>
  );
}

const READ = 200;

export function CompanyOptions(): React.JSX.Element {
  const { all, hasMore } = useCompanies();
  return (
    <>
      <Options values={all.filter(({ status }) => status !== 'dissolved').map(({ id, name }) => [id, name])} />
      <OlderCompanies hasMore={hasMore} />
    </>
  );
}

function AgentOptions({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: companyId, limit: READ }));
  return <Options values={agents.data?.data.map(({ id, name }) => [id, name]) ?? []} />;
}

const openStatuses = ['open', 'waiting'] as const;

export function CaseOptions({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const cases = useQueries({
    queries: openStatuses.map((status) => trpc.cases.list.queryOptions({ company_id: companyId, status, limit: READ })),
  });
  return <Options values={cases.flatMap(({ data }) => data?.data ?? []).map(({ id, title }) => [id, title])} />;
}
