import type { Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import type { Outputs } from '../../lib/trpc.ts';
import { FindingPanel } from './finding-panel.tsx';

type Warning = Outputs['financials']['dataQuality']['warnings'][number];

const columns: readonly Column<Warning>[] = [{ id: 'message', title: 'Warning', cell: ({ message }) => message }];

export function Warnings({ rows }: { rows: readonly Warning[] }): React.JSX.Element {
  return (
    <FindingPanel
      label="Warnings"
      rows={rows}
      columns={columns}
      keyOf={({ code, message }) => `${code} ${message}`}
      empty={<EmptyState title="No warnings" />}
    >
      What may make a figure wrong: cash that may count twice, inflows that may be no income, and statements that
      replaced one of another period.
    </FindingPanel>
  );
}
