import { Link } from '@tanstack/react-router';
import { useCompany } from '../../components/shell/company-context.ts';
import { missingRatesText, RATES_HASH } from '../companies/rates.view.ts';

/** Why the figures of several currencies have no total; nothing if they have one. */
export function NoTotal({ missing }: { missing: readonly string[] }): React.JSX.Element | null {
  const { id } = useCompany();
  if (missing.length === 0) return null;
  return (
    <p className="mt-2 text-xs text-muted">
      {missingRatesText(missing)}.{' '}
      <Link to="/companies/$companyId" params={{ companyId: id }} hash={RATES_HASH} className="text-accent underline">
        Enter rates
      </Link>
    </p>
  );
}
