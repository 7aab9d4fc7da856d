import { buttonClass } from './button.tsx';

export interface ExportLinksProps {
  /** The list's REST path below `/api/v1`. */
  path: string;
  filters: Readonly<Record<string, string | number | boolean | undefined>>;
  what: string;
}

/** Links that export all matching rows. A plain link sends the session's cookie. */
export function ExportLinks({ path, filters, what }: ExportLinksProps): React.JSX.Element {
  const set = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return (
    <>
      {['csv', 'ndjson'].map((format) => (
        <a
          key={format}
          href={`/api/v1${path}?${new URLSearchParams([['format', format], ...set]).toString()}`}
          download
          className={buttonClass('plain', 'small')}
          aria-label={`Export ${format.toUpperCase()} of ${what}`}
        >
          Export {format.toUpperCase()}
        </a>
      ))}
    </>
  );
}
