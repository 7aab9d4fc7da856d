import { visibleJson } from '../lib/visible-text.ts';
import { CopyButton } from './copy-button.tsx';

/** Preformatted text: payloads, headers, commands. Never rendered as markup. */
export function CodeBlock({ text, label }: { text: string; label: string }): React.JSX.Element {
  return (
    <figure className="min-w-0 overflow-hidden rounded-md border bg-sunken">
      <figcaption className="flex items-center justify-between gap-2 border-b px-3 py-1.5 text-xs text-muted">
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
