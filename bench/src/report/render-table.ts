import type { Figure } from './figure.ts';

const header = ['scenario', 'what', 'figure', 'beside', 'ratio', 'goal', ''];

/** Three significant digits for small numbers, grouped thousands for large ones. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ' ');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function cells({ scenario, name, value, unit, reference, ratio, goal }: Figure): string[] {
  return [
    scenario,
    name,
    `${formatNumber(value)} ${unit}`,
    reference === undefined ? '' : `${reference.id}: ${formatNumber(reference.value)}`,
    ratio === undefined ? '' : formatNumber(ratio),
    goal?.text ?? '',
    goal === undefined ? '' : goal.met ? 'met' : 'missed',
  ];
}

export function renderText(figures: readonly Figure[]): string {
  const rows = [header, ...figures.map(cells)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function renderMarkdown(figures: readonly Figure[]): string {
  const line = (row: readonly string[]): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...figures.map(cells).map(line)].join('\n');
}
