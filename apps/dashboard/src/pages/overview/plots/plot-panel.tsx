import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '../../../components/data-table.tsx';
import { Panel } from '../../../components/page.tsx';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Loaded } from '../../../components/states.tsx';

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

interface FiguresProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

export function Figures<Row>({ label, rows, columns, keyOf }: FiguresProps<Row>): React.JSX.Element {
  return (
    <details className="mt-3 text-sm">
      <summary className="text-xs text-muted">Show as table</summary>
      <div className="mt-2 max-h-80 overflow-y-auto">
        <SimpleTable label={label} rows={rows} columns={columns} keyOf={keyOf} empty={null} />
      </div>
    </details>
  );
}

export function Legend({
  entries,
}: {
  entries: ReadonlyArray<readonly [name: string, swatch: ReactNode]>;
}): React.JSX.Element {
  return (
    <ul aria-label="Legend" className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(([name, swatch]) => (
        <li key={name} className="inline-flex min-w-0 items-center gap-1.5">
          {swatch}
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}

export function Swatch({ colour }: { colour: string }): React.JSX.Element {
  return <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: colour }} />;
}
