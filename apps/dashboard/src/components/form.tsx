import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { FormErrors, fieldErrorsOf, focusFirstError } from '../lib/form-errors.ts';
import { explain, type FieldError, problemOf } from '../lib/problem.ts';
import { Button } from './button.tsx';

export interface FormProps {
  ref?: RefObject<HTMLFormElement | null>;
  submit: string;
  onSubmit: (data: FormData, form: HTMLFormElement) => void;
  onCancel?: () => void;
  busy?: boolean;
  danger?: boolean;
  /** The primary button is another one of the form. */
  quiet?: boolean;
  /** The error of the last submission; errors of single fields are shown at the fields (`fieldError`). */
  error?: unknown;
  children?: ReactNode;
}

const none: ReadonlyMap<string, string> = new Map();
const noErrors: readonly FieldError[] = [];

/** The trimmed value of a field; undefined if it is empty. */
export function formText(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

const SLOW_MS = 5_000;

function useIsSlow(busy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return isSlow;
}

export function Form(props: FormProps): React.JSX.Element {
  const { ref, submit, onSubmit, onCancel, busy = false, danger = false, quiet = false, error, children } = props;
  const id = useId();
  const own = useRef<HTMLFormElement>(null);
  const form = ref ?? own;
  const [ownErrors, setOwnErrors] = useState<ReadonlyMap<string, string>>(none);
  const isSlow = useIsSlow(busy);
  const hasError = ownErrors.size > 0 || error != null;
  useEffect(() => {
    if (!form.current || (ownErrors.size === 0 && error == null)) return;
    // The pressed button may be far below the error.
    if (!focusFirstError(form.current)) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [ownErrors, error, id, form]);
  return (
    <form
      ref={form}
      noValidate
      aria-describedby={hasError ? id : undefined}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        const found = fieldErrorsOf(event.currentTarget);
        setOwnErrors(found.size === 0 ? none : found);
        if (found.size === 0) onSubmit(new FormData(event.currentTarget), event.currentTarget);
      }}
    >
      {hasError && <FormError id={id} error={ownErrors.size > 0 ? undefined : error} />}
      <FormErrors value={ownErrors}>{children}</FormErrors>
      <div className="flex flex-wrap justify-end gap-2">
        <p role="status" className={isSlow ? 'basis-full text-right text-sm text-muted' : ''}>
          {isSlow && 'Still waiting for the service…'}
        </p>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant={danger ? 'danger' : quiet ? 'plain' : 'primary'} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

function hiddenErrors(faults: readonly FieldError[], box: HTMLElement): readonly FieldError[] {
  const texts = [...(box.closest('form')?.querySelectorAll('p') ?? [])]
    .filter((text) => !box.contains(text))
    .map(({ textContent }) => textContent);
  const shown = (message: string): number => texts.filter((text) => text.endsWith(message)).length;
  return faults.filter(({ message }) => shown(message) < faults.filter((other) => other.message === message).length);
}

function FormError({ id, error }: { id: string; error: unknown }): React.JSX.Element {
  const faults = problemOf(error)?.errors ?? noErrors;
  const box = useRef<HTMLDivElement>(null);
  const [rest, setRest] = useState<readonly FieldError[]>(noErrors);
  useLayoutEffect(() => {
    if (box.current) setRest(hiddenErrors(faults, box.current));
  }, [faults]);
  const hasMarked = error === undefined || faults.length > rest.length;
  return (
    <div ref={box} id={id} role="alert" className="rounded-md border border-bad bg-bad-soft p-3 text-sm text-bad">
      <p>{hasMarked ? 'Check the marked fields.' : rest.length > 0 ? 'The request was rejected:' : explain(error)}</p>
      {rest.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {rest.map(({ pointer, message }) => (
            <li key={pointer}>
              <code>{pointer.slice(1).replaceAll('/', ' › ') || 'input'}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
