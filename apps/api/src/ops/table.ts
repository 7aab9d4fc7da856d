import { type Html, html } from '../http/html.ts';

/** A column: its head, the cell of a row, and whether it holds numbers. */
interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => Html | string;
  readonly isNumber?: boolean;
}

export interface TableOptions<Row> {
  /** Distinct on its page; the region that scrolls is named by it. */
  readonly id: string;
  readonly caption: string;
  /** The first one heads its row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** A table that scrolls sideways by itself where it has no room, with the keyboard too. */
export function table<Row>({ id, caption, columns, rows }: TableOptions<Row>): Html {
  return html`<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${columns.map(({ head, isNumber }) => html`<th scope="col"${numeric(isNumber)}>${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr>${columns.map(({ cell, isNumber }, index) =>
      index === 0
        ? html`<th scope="row"${numeric(isNumber)}>${cell(row)}</th>`
        : html`<td${numeric(isNumber)}>${cell(row)}</td>`,
    )}</tr>`,
  )}
</tbody>
</table>
</div>`;
}

function numeric(isNumber = false): Html | false {
  return isNumber && html` class="number"`;
}
