import { type ComponentProps, type ReactNode, useContext, useId } from 'react';
import { FormErrors } from '../lib/form-errors.ts';
import { useRecordNames } from '../lib/record-names.ts';
import { valueText } from './badge.tsx';

export const control =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-sm text-text placeholder:text-muted aria-invalid:border-bad disabled:opacity-60';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The service's error for this field; the form adds its own. */
  error?: string | undefined;
  className?: string | undefined;
}

interface Described {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export function Field({
  label,
  hint,
  error: serviceError,
  className = '',
  children,
}: FieldProps & { children: (props: Described) => ReactNode }) {
  const id = useId();
  const own = useContext(FormErrors).get(id);
  const error = own ?? serviceError;
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(Boolean);
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

type Own<K extends 'input' | 'textarea' | 'select'> = FieldProps & Omit<ComponentProps<K>, 'id' | 'className'>;

export function TextField({ label, hint, error, className, ...rest }: Own<'input'>): React.JSX.Element {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(props) => <input type="text" autoComplete="off" {...rest} {...props} className={`${control} min-h-10`} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, className, ...rest }: Own<'textarea'>): React.JSX.Element {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(props) => <textarea rows={4} {...rest} {...props} className={`${control} py-2`} />}
    </Field>
  );
}

export function SelectField({ label, hint, error, className, children, ...rest }: Own<'select'>): React.JSX.Element {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(props) => (
        <select {...rest} {...props} className={`${control} min-h-10`}>
          {children}
        </select>
      )}
    </Field>
  );
}

export function Options({ values }: { values: ReadonlyArray<string | readonly [value: string, label: string]> }) {
  return values
    .map((value) => (typeof value === 'string' ? ([value, valueText(value)] as const) : value))
    .map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
}

/** A value that a choice has but no longer offers. Without it, a select would show its first option and save that. */
export function FormerOption({ value }: { value: string }): React.JSX.Element {
  // Ids have digits, and event types have full stops: both are shown as written.
  const text = /^[a-z_]+$/.test(value) ? valueText(value) : value;
  return <option value={value}>{useRecordNames([value]).get(value) ?? `${text} (no longer offered)`}</option>;
}

export function CheckField({
  label,
  hint,
  className = '',
  error: serviceError,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  const id = useId();
  const own = useContext(FormErrors).get(id);
  const error = own ?? serviceError;
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(Boolean);
  return (
    <div className={`flex items-start gap-2 ${className}`}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={described.length === 0 ? undefined : described.join(' ')}
        className="size-5 shrink-0 accent-accent"
      />
      <div>
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} className="text-xs text-bad">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
