import { useEffect, useRef, useState } from 'react';
import { parseDay, parseTime, shownDate } from '../lib/parse-day.ts';
import { buttonClass } from './button.tsx';
import { control, Field, type FieldProps } from './field.tsx';
import { useZone } from './shell/company-context.ts';

export interface DateFieldProps extends FieldProps {
  /** The field of a form's data. Its value is `2026-11-26`, or `2026-11-26T16:33` with a time. */
  name?: string | undefined;
  value?: string | undefined;
  defaultValue?: string | undefined;
  /** Receives days and times that exist, and undefined when the field is emptied. */
  onChange?: (value: string | undefined) => void;
  /** The first and the last day that a form accepts. */
  min?: string | undefined;
  max?: string | undefined;
  required?: boolean;
  /** A date and time. */
  time?: boolean;
}

/**
 * A date as the dashboard writes it. A native field shows it in the browser's format, which a page can't change, so that one
 * gives only its calendar.
 */
export function DateField(props: DateFieldProps): React.JSX.Element {
  const { label, hint, error, className, name, min, max, required = false, time = false } = props;
  const { text, value, setText, leave } = useDate(props);
  const [isLeft, setLeft] = useState(true);
  const fault = faultOf(text, value, props);
  const typed = useRef<HTMLInputElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useEffect(() => typed.current?.setCustomValidity(fault ?? ''), [fault]);
  const isUnread = isLeft && text.trim() !== '' && value === undefined;
  return (
    <Field label={label} hint={hint} error={isUnread ? fault : error} className={className}>
      {(described) => (
        <div className={`relative flex ${time ? 'min-w-56' : 'min-w-40'}`}>
          <input
            {...described}
            ref={typed}
            type="text"
            autoComplete="off"
            size={12}
            placeholder={time ? '26 Nov 2026, 16:33' : '26 Nov 2026'}
            required={required}
            value={text}
            onChange={({ target }) => {
              setLeft(false);
              setText(target.value);
            }}
            onBlur={() => {
              afterPress(() => setLeft(true));
              leave();
            }}
            className={`${control} min-h-10 pr-10 print:placeholder:text-transparent`}
          />
          {/* Holds the form's value. */}
          <input
            ref={picker}
            type={time ? 'datetime-local' : 'date'}
            name={name}
            tabIndex={-1}
            aria-hidden
            min={min}
            max={max}
            value={value ?? ''}
            onChange={({ target }) => setText(target.value === '' ? '' : shownDate(target.value))}
            className="pointer-events-none absolute right-0 bottom-0 size-10 opacity-0"
          />
          <button
            type="button"
            aria-label="Open calendar"
            aria-describedby={`${described.id}-label`}
            onClick={() => picker.current?.showPicker()}
            className={`${buttonClass('quiet', 'small')} absolute top-1 right-1`}
          >
            <CalendarIcon />
          </button>
        </div>
      )}
    </Field>
  );
}

/** The error of a field moves what is below it: a button that is being pressed would not get the click. */
function afterPress(show: () => void): void {
  if (!document.documentElement.matches(':active')) show();
  else document.addEventListener('mouseup', () => setTimeout(show), { once: true });
}

/** The typed text, and the value that it stands for. */
function useDate({ value: given = '', defaultValue = given, onChange, time = false }: DateFieldProps) {
  const zone = useZone();
  const parse = (typed: string): string | undefined => (time ? parseTime(typed, zone) : parseDay(typed));
  // An address may contain what is no date.
  const show = (value: string): string => {
    const date = parse(value);
    return date === undefined ? value : shownDate(date);
  };
  const [text, setText] = useState(() => show(defaultValue));
  const [known, setKnown] = useState(given);
  const [sent, setSent] = useState(given);
  const value = parse(text);
  // It changed elsewhere, as when filters are cleared. Otherwise the typed text stays.
  if (given !== known) {
    setKnown(given);
    setSent(given);
    if (given !== (value ?? sent)) setText(show(given));
  }
  return {
    text,
    value,
    setText: (next: string): void => {
      setText(next);
      const read = parse(next) ?? '';
      if (read === given || (read === '' && next.trim() !== '')) return;
      setSent(read);
      onChange?.(read || undefined);
    },
    leave: (): void => (value === undefined ? undefined : setText(show(value))),
  };
}

function faultOf(text: string, value: string | undefined, { min, max, time = false }: DateFieldProps) {
  if (text.trim() === '') return undefined;
  if (value === undefined)
    return time ? 'Enter a date and time like 26 Nov 2026, 16:33.' : 'Enter a date like 2026-11-26 or 26 Nov 2026.';
  if (min !== undefined && value < min) return `Enter ${shownDate(min)} or later.`;
  if (max !== undefined && value > max) return `Enter ${shownDate(max)} or earlier.`;
  return undefined;
}

function CalendarIcon(): React.JSX.Element {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4 fill-none stroke-current stroke-2">
      <path d="M2 4h12v10H2zM2 7h12M5 2v3M11 2v3" />
    </svg>
  );
}
