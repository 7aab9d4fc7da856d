import { useState } from 'react';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): React.JSX.Element {
  const [said, setSaid] = useState<string | undefined>();
  async function copy(): Promise<void> {
    const worked = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setSaid(worked ? 'Copied' : 'Copy failed: select the text');
    setTimeout(() => setSaid(undefined), SHOWN_MS);
  }
  return (
    <Button size="small" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}

/** A secret shown once, with a button to copy it. */
export function SecretOnce({ secret, label }: { secret: string; label: string }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">This is shown only once. Store it now in your secret manager. We can’t show it again.</p>
      <div className="flex flex-wrap items-center gap-2 rounded-md border bg-sunken p-3">
        <code aria-label={label} className="min-w-0 flex-1 text-sm break-all select-all">
          {secret}
        </code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}
