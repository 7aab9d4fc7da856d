import { type ReactNode, useEffect, useId, useRef } from 'react';
import { explain, problemOf } from '../data/problem.ts';
import { Button } from './button.tsx';

export interface FormProps {
  /** What the button says: a verb with its object. */
  submit: string;
  onSubmit: (data: FormData) => void;
  onCancel?: () => void;
  busy?: boolean;
  danger?: boolean;
  /** Why the last try was refused; faults of single fields stand at the fields (`faultOf`). */
  error?: unknown;
  children?: ReactNode;
}

/** What a field holds, without the spaces around it; undefined when it is empty. */
export function textOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** A form that sends once, keeps what was typed when it is refused, and says why at its head. */
export function Form({ submit, onSubmit, onCancel, busy = false, danger = false, error, children }: FormProps) {
  const id = useId();
  return (
    <form
      noValidate
      aria-describedby={error == null ? undefined : id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit(new FormData(event.currentTarget));
      }}
    >
      {error != null && <Refusal id={id} error={error} />}
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button look="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

function Refusal({ id, error }: { id: string; error: unknown }): React.JSX.Element {
  const faults = problemOf(error)?.errors ?? [];
  const box = useRef<HTMLDivElement>(null);
  // The button that was pressed may be far below.
  useEffect(() => {
    // In braces: Chromium answers with a promise, which React would take for the effect's clean-up.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  return (
    <div ref={box} id={id} role="alert" className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
      <p>{explain(error)}</p>
      {faults.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {faults.map(({ pointer, message }) => (
            <li key={pointer}>
              <code>{pointer.slice(1).replaceAll('/', ' › ') || 'input'}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
