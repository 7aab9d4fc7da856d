import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { sentenceCase } from './badge.tsx';
import { Button } from './button.tsx';
import { SelectField, TextField } from './field.tsx';

const TYPING_MS = 300;

export interface FilterBarProps {
  /** Names the group of filters, such as "Filter agents". */
  label: string;
  /** Whether any filter is set: then they can be cleared. */
  isSet: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** The filters of a list in a row, and the way back to the whole list. */
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
  /** What the address says. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A filter by text: told a moment after the typing ends, so that a word is one query. */
export function FilterText({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // Pages make `onChange` anew with each render, and a list that is live renders more often than the wait is long.
  const tell = useEffectEvent(onChange);
  useEffect(() => {
    // The address changed by other means: cleared, or the way back. What was typed meanwhile stays otherwise.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const meant = text.trim() === '' ? '' : text;
  useEffect(() => {
    if (meant === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = meant;
      tell(meant === '' ? undefined : meant);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [meant]);
  return <TextField {...rest} type="search" value={text} onChange={(event) => setText(event.target.value)} />;
}

export interface FilterChoiceProps extends Omit<ComponentProps<typeof SelectField>, 'value' | 'onChange' | 'children'> {
  /** What the address says. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** Words that say themselves, or values with what they are called. */
  choices: ReadonlyArray<string | readonly [value: string, label: string]>;
  /** What it is called to choose none. */
  none?: string;
}

/** A filter by one of a few values. */
export function FilterChoice({ value = '', onChange, choices, none = 'Any', ...rest }: FilterChoiceProps) {
  return (
    <SelectField {...rest} value={value} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">{none}</option>
      {choices.map((choice) => {
        const [id, label] = typeof choice === 'string' ? [choice, sentenceCase(choice)] : choice;
        return (
          <option key={id} value={id}>
            {label}
          </option>
        );
      })}
    </SelectField>
  );
}

/** A filter by a calendar day. */
export function FilterDay({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  return (
    <TextField {...rest} type="date" value={value} onChange={(event) => onChange(event.target.value || undefined)} />
  );
}

type Put<Search> = (change: Partial<Search>) => void;

/** Ties filters to the words of an address: `const field = filterFields(search, put)`, then `{...field('q')}`. */
export function filterFields<Search extends { [name: string]: string | undefined }>(search: Search, put: Put<Search>) {
  return <Name extends keyof Search>(name: Name) => ({
    value: search[name],
    onChange: (value: string | undefined) => put(changeOf<Search>(name, value)),
  });
}

// One name of the search with its value; TypeScript takes a computed name for any.
function changeOf<Search>(name: keyof Search, value: string | undefined): Partial<Search> {
  return { [name]: value } as Partial<Search>;
}
