import { currencyExponent } from '@finhook/contracts/currency';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Panel } from '../../../components/page.tsx';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Loaded } from '../../../components/states.tsx';
import type { Column } from '../../../components/table-head.tsx';
import { scaleMoney } from '../../../lib/format-number.ts';

/** A point of a plot: its exact figures are shown in the tooltip and in the table. */
export interface PlotRow {
  label: string;
  tip: ReadonlyArray<readonly [name: string, figure: string]>;
}

interface PlotPanelProps<Data> {
  title: string;
  query: UseQueryResult<Data, unknown>;
  className?: string;
  children: (data: Data) => ReactNode;
}

export function PlotPanel<Data>({ title, query, className, children }: PlotPanelProps<Data>): React.JSX.Element {
  return (
    <Panel title={title} className={className}>
      <Loaded query={query} label={title} lines={9}>
        {children}
      </Loaded>
    </Panel>
  );
}

export function NoPlot({ children }: { children: ReactNode }): React.JSX.Element {
  return <p className="py-8 text-center text-sm text-muted">{children}</p>;
}

export function moneyFormat(currency: string): (cents: number) => string {
  const digits = currencyExponent(currency);
  return (cents) => scaleMoney(cents, currency, digits);
}

interface PlotTableProps<Row extends PlotRow> {
  label: string;
  /** Title of the column with the rows' labels. */
  first: string;
  rows: readonly Row[];
  /** A link to what a figure consists of; `column` counts the figures of the row. */
  link?: (row: Row, figure: string, column: number) => ReactNode;
}

export function PlotTable<Row extends PlotRow>({ label, first, rows, link }: PlotTableProps<Row>): React.JSX.Element {
  return (
    <FoldedTable
      label={label}
      rows={rows}
      keyOf={(row) => `${rows.indexOf(row)}`}
      columns={[
        { title: first, cell: (row) => row.label },
        ...(rows[0]?.tip ?? []).map(([title], i) => ({
          id: `${i}`,
          title,
          align: 'end' as const,
          cell: (row: Row) => {
            const figure = row.tip[i]?.[1] ?? '–';
            return <span className="tabular-nums">{link ? link(row, figure, i) : figure}</span>;
          },
        })),
      ]}
    />
  );
}

interface FoldedTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

/** The rows are drawn once the table is opened: few readers open it, and a year has fifty links. */
function FoldedTable<Row>(table: FoldedTableProps<Row>): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-3 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-xs text-muted">Show as table</summary>
      <div className="mt-2 max-h-80 overflow-y-auto">{isOpen && <SimpleTable {...table} empty={null} />}</div>
    </details>
  );
}

interface LegendProps {
  entries: ReadonlyArray<readonly [name: string, colour: string] | readonly [name: string, swatch: ReactElement]>;
}

/** A swatch is a colour, or an element of its own. */
export function Legend({ entries }: LegendProps): React.JSX.Element {
  return (
    <ul aria-label="Legend" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(([name, swatch]) => (
        <li key={name} className="inline-flex min-w-0 items-center gap-2">
          {typeof swatch === 'string' ? (
            <span aria-hidden className="size-3 shrink-0 rounded-sm" style={{ background: swatch }} />
          ) : (
            swatch
          )}
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}
