import { type ReactNode, useState } from 'react';

interface KeepEditsProps<Value> {
  value: Value;
  children: (shown: Value, release: () => void) => ReactNode;
}

/**
 * Shows the newest value until the user edits a control; then it keeps that value until `release`, so that a change by
 * others neither removes nor resets a form that contains unsent text.
 */
export function KeepEdits<Value>({ value, children }: KeepEditsProps<Value>): React.JSX.Element {
  const [kept, setKept] = useState<{ value: Value }>();
  const shown = kept ? kept.value : value;
  return (
    <div className="contents" onInput={() => setKept({ value: shown })}>
      {children(shown, () => setKept(undefined))}
    </div>
  );
}
