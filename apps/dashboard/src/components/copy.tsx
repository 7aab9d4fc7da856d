import { useState } from 'react';
import { visibleJson } from '../lib/text.ts';
import { Button } from './button.tsx';

const RESULT_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): React.JSX.Element {
  const [result, setResult] = useState<string | undefined>();
  async function copy(): Promise<void> {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setResult(copied ? 'Copied' : 'Couldn’t copy. Select the text');
    setTimeout(() => setResult(undefined), RESULT_MS);
  }
  return (
    <Button size="small" onClick={() => void copy()}>
      <span aria-live="polite">{result ?? label}</span>
    </Button>
  );
}

export function SecretOnce({ secret, label }: { secret: string; label: string }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">Store this in your secret manager now. We can’t show it again.</p>
      <div className="flex flex-wrap items-center gap-2 rounded-md border bg-sunken p-3">
        <code aria-label={label} className="min-w-0 flex-1 text-sm break-all select-all">
          {secret}
        </code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}

export function CopyId({ id, what }: { id: string; what: string }): React.JSX.Element {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 text-xs wrap-anywhere">{id}</code>
      <CopyButton text={id} label={`Copy ${what}`} />
    </span>
  );
}

export function CodeBlock({ text, label }: { text: string; label: string }): React.JSX.Element {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 border-b px-3 py-1 text-xs text-muted">
        {label}
        <CopyButton text={text} />
      </figcaption>
      {/* A scrollable region must be focusable. */}
      <pre tabIndex={0} aria-label={label} className="max-h-96 overflow-auto p-3 text-xs leading-relaxed">
        {text}
      </pre>
    </figure>
  );
}

export function JsonBlock({ value, label }: { value: unknown; label: string }): React.JSX.Element {
  return <CodeBlock label={label} text={visibleJson(value)} />;
}
