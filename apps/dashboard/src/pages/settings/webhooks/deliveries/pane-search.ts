/** The URL parameters of the pane: the delivery, and the attempts of it that are shown. */
type PaneSearch = Record<'delivery' | 'attempt' | 'compare', string | undefined>;

export const shown = (delivery: string | undefined): PaneSearch => ({
  delivery,
  attempt: undefined,
  compare: undefined,
});

/** The tab of a page. A link to a delivery opens the tab that shows it. */
export function tabOf({ tab, delivery }: { tab?: string; delivery?: string }, first: string): string {
  return tab ?? (delivery === undefined ? first : 'deliveries');
}
