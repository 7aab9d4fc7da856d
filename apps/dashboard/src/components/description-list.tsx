import type { ReactNode } from 'react';
import { visibleText } from '../lib/text.ts';

export function DescriptionList({
  entries,
}: {
  entries: ReadonlyArray<readonly [name: string, value: ReactNode]>;
}): React.JSX.Element {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
      {entries
        .filter(([, value]) => value !== null && value !== undefined && value !== false)
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{typeof value === 'string' ? visibleText(value) : value}</dd>
          </div>
        ))}
    </dl>
  );
}
