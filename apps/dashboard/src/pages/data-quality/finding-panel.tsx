import type { ComponentProps, ReactNode } from 'react';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';

type FindingPanelProps<Row> = ComponentProps<typeof SimpleTable<Row>> & { children: ReactNode };

export function FindingPanel<Row>({ children, ...table }: FindingPanelProps<Row>): React.JSX.Element {
  return (
    <Panel title={table.label} flush>
      <p className="max-w-prose px-5 pb-2 text-sm text-muted">{children}</p>
      <SimpleTable {...table} />
    </Panel>
  );
}
