import {
  type ComponentProps,
  Fragment,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { Badge, valueText } from './badge.tsx';
import { Button } from './button.tsx';
import { FormerOption, Options, SelectField, TextField } from './field.tsx';

const TYPING_MS = 300;

export interface FilterBarProps {
  label: string;
  /** The number of filters that are set. */
  active: number;
  onClear: () => void;
  /** On a phone a button stands for the filters, which would take the screen before the first row. */
  folds?: boolean;
  /** Below the others. */
  more?: ReactNode;
  children: ReactNode;
}

export function FilterBar({ label, active, onClear, folds = false, more, children }: FilterBarProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [clears, setClears] = useState(0);
  return (
    // On paper, filters say what the list is of.
    <div role="search" aria-label={label} className={`flex flex-col gap-3 ${active === 0 ? 'print:hidden' : ''}`}>
      {folds && (
        <Button
          repeats
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="self-start sm:hidden"
        >
          Filters
          {active > 0 && (
            <Badge tone="info">
              {active}
              <span className="sr-only"> active</span>
            </Badge>
          )}
        </Button>
      )}
      <div id={id} className={`flex-col gap-3 ${folds && !isOpen ? 'hidden sm:flex' : 'flex'}`}>
        <div className="flex flex-wrap items-end gap-3">
          {/* New controls have no text that they could not read and send. */}
          <Fragment key={clears}>{children}</Fragment>
          {active > 0 && (
            <Button
              variant="quiet"
              onClick={() => {
                setClears(clears + 1);
                onClear();
              }}
            >
              Clear filters
            </Button>
          )}
        </div>
        {more}
      </div>
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

export type FilterChoices = ReadonlyArray<string | readonly [value: string, label: string]>;

/** The choices with their labels. Event types and operations are shown as written. */
export function labelled(choices: FilterChoices): ReadonlyArray<readonly [value: string, label: string]> {
  return choices.map((choice) => {
    if (typeof choice !== 'string') return choice;
    return [choice, choice.includes('.') ? choice : valueText(choice)] as const;
  });
}

export interface FilterChoiceProps extends Omit<ComponentProps<typeof SelectField>, 'value' | 'onChange'> {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  choices: FilterChoices;
  none?: string;
}

/** A choice of one value. A value that is not among the choices, such as a deleted record's, stays selected. */
export function FilterChoice({ value = '', onChange, choices, none = 'Any', children, ...rest }: FilterChoiceProps) {
  const options = labelled(choices);
  return (
    <SelectField {...rest} value={value} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">{none}</option>
      {value !== '' && !options.some(([id]) => id === value) && <FormerOption value={value} />}
      <Options values={options} />
      {children}
    </SelectField>
  );
}

export function FilterMonth({ value = '', onChange, ...rest }: FilterTextProps): React.JSX.Element {
  return (
    <TextField {...rest} type="month" value={value} onChange={(event) => onChange(event.target.value || undefined)} />
  );
}
