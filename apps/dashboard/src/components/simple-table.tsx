import type { ReactNode } from 'react';
import { SideScroll } from './side-scroll.tsx';
import { opensOnPress, shownFrom } from './table-cells.tsx';
import type { Column } from './table-head.tsx';

export function SimpleTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  empty,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  empty: ReactNode;
}): ReactNode {
  if (rows.length === 0) return empty;
  return (
    <SideScroll label={label}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b">
            {columns.map(({ title, align, wide }) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2 font-medium text-muted first:pl-5 last:pr-5 ${align === 'end' ? 'text-right' : 'text-left'} ${shownFrom({ wide })}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={`relative border-b align-top last:border-b-0 ${opensOnPress}`}>
              {columns.map(({ title, align, nowrap, wide, cell }) => (
                <td
                  key={title}
                  className={`px-3 py-2 first:pl-5 last:pr-5 ${align === 'end' ? 'text-right' : nowrap === true ? 'whitespace-nowrap' : 'min-w-30 wrap-anywhere'} ${shownFrom({ wide })}`}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SideScroll>
  );
}
