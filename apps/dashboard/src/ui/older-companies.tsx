/** Said at the end of a choice that offers the newest companies alone. */
export const OLDER_COMPANIES = 'The newest 200. Older ones are under Companies.';

/** The last line of a choice of companies, which cannot be chosen; nothing where all of them are offered. */
export function OlderCompanies({ hasMore }: { hasMore: boolean }): React.JSX.Element | null {
  return hasMore ? <option disabled>{OLDER_COMPANIES}</option> : null;
}
