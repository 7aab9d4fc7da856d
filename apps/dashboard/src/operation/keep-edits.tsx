import { type ReactNode, useState } from 'react';

interface KeepEditsProps<Value> {
  /** The id of the record that is edited: what was typed for one record is never shown for another. */
  of: string | undefined;
  value: Value;
  children: (shown: Value, release: () => void) => ReactNode;
}

/**
 * Shows the newest value until the user edits a control; then it keeps that value until `release`, so that a change by
 * others neither removes nor resets a form that contains unsent text.
 */
export function KeepEdits<Value>({ of, ...props }: KeepEditsProps<Value>): React.JSX.Element {
  return <Kept key={of} {...props} />;
}

function Kept<Value>({ value, children }: Omit<KeepEditsProps<Value>, 'of'>): React.JSX.Element {
  const [kept, setKept] = useState<{ value: Value }>();
  const shown = kept ? kept.value : value;
  return (
    <div className="contents" onInput={() => setKept({ value: shown })}>
      {children(shown, () => setKept(undefined))}
    </div>
  );
}
