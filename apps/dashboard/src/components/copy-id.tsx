import { CopyButton } from './copy-button.tsx';

export function CopyId({ id, what }: { id: string; what: string }): React.JSX.Element {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <code className="min-w-0 text-xs wrap-anywhere">{id}</code>
      <CopyButton text={id} label={`Copy ${what}`} />
    </span>
  );
}
