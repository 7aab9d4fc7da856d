import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { statusText } from './badge.tsx';
import { Button } from './button.tsx';
import { FormerOption, Options, SelectField, TextField } from './field.tsx';

const TYPING_MS = 300;

export interface FilterBarProps {
  label: string;
  isSet: boolean;
  onClear: () => void;
  children: ReactNode;
}

export function FilterBar({ label, isSet, onClear, children }: FilterBarProps): React.JSX.Element {
  return (
    <div role="search" aria-label={label} className="flex flex-wrap items-end gap-3">
      {children}
      {isSet && (
        <Button variant="quiet" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

export interface FilterTextProps extends Omit<ComponentProps<typeof TextField>, 'value' | 'defaultValue' | 'onChange'> {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function FilterText({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // Pages pass a new `onChange` with each render, and a live list renders more often than the debounce time.
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    // The URL changed elsewhere: the filter was cleared, or Back was pressed. Otherwise the typed text stays.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const next = text.trim() === '' ? '' : text;
  useEffect(() => {
    if (next === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = next;
      notify(next === '' ? undefined : next);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [next]);
  return <TextField {...rest} type="search" value={text} onChange={(event) => setText(event.target.value)} />;
}

export interface FilterChoiceProps extends Omit<ComponentProps<typeof SelectField>, 'value' | 'onChange'> {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  choices: ReadonlyArray<string | readonly [value: string, label: string]>;
  none?: string;
}

/** A choice of one value. A value that is not among the choices, such as a deleted record's, stays selected. */
export function FilterChoice({ value = '', onChange, choices, none = 'Any', children, ...rest }: FilterChoiceProps) {
  const options = choices.map((choice) => {
    if (typeof choice !== 'string') return choice;
    // Event types and operations are shown as written.
    return [choice, choice.includes('.') ? choice : statusText(choice)] as const;
  });
  return (
    <SelectField {...rest} value={value} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">{none}</option>
      {value !== '' && !options.some(([id]) => id === value) && <FormerOption value={value} />}
      <Options values={options} />
      {children}
    </SelectField>
  );
}

export function FilterDay({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  return (
    <TextField {...rest} type="date" value={value} onChange={(event) => onChange(event.target.value || undefined)} />
  );
}

export function FilterMonth({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  return (
    <TextField {...rest} type="month" value={value} onChange={(event) => onChange(event.target.value || undefined)} />
  );
}
