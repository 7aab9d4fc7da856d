import { useState } from 'react';

/** Rows of a list that the user has selected, as they were then. */
export interface RowSelection<Row> {
  rows: ReadonlyMap<string, Row>;
  toggle: (row: Row) => void;
  set: (rows: readonly Row[]) => void;
  clear: () => void;
}

export function useSelection<Row extends { id: string }>(): RowSelection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    rows,
    toggle: (row) =>
      setRows((now) => {
        const next = new Map(now);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      }),
    set: (all) => setRows(new Map(all.map((row) => [row.id, row]))),
    clear: () => setRows(new Map()),
  };
}
