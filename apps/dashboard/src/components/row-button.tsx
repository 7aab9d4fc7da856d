import type { ReactNode } from 'react';
import { visibleText } from '../lib/visible-text.ts';
import { rowLink } from './data-table.tsx';

export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }): React.JSX.Element {
  return (
    <button
      type="button"
      onClick={onClick}
      className={`${rowLink} max-w-full truncate rounded text-left text-accent hover:underline`}
    >
      {typeof children === 'string' ? visibleText(children) : children}
    </button>
  );
}
