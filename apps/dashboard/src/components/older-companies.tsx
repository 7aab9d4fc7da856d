export const OLDER_COMPANIES = 'The newest 200. Older ones are under Companies.';

export function OlderCompanies({ hasMore }: { hasMore: boolean }): React.JSX.Element | null {
  return hasMore ? <option disabled>{OLDER_COMPANIES}</option> : null;
}
