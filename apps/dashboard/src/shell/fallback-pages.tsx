import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { ErrorState } from '../ui/states.tsx';

/** An address of the dashboard that leads nowhere. */
export function NotFoundPage(): React.JSX.Element {
  return (
    <Page title="No such page" intro="The address may have been cut off, or what it named is gone.">
      <p>
        <Link to="/" className="text-accent underline">
          Go to the overview
        </Link>
      </p>
    </Page>
  );
}

/** The company in the address is not to be had; another one's figures must not stand in its place. */
export function UnknownCompanyPage(): React.JSX.Element {
  return (
    <Page title="No such company" intro="The address names a company that is gone, or that your key does not reach.">
      <p>
        Choose another one above, or{' '}
        <Link to="/companies" search={{ company: undefined }} className="text-accent underline">
          see all companies
        </Link>
        .
      </p>
    </Page>
  );
}

/** A page that failed while it was drawn or loaded. */
export function PageError({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const router = useRouter();
  return (
    <Page title="This page could not be shown">
      {/* What was loaded for the page failed with it: that is asked for again first. */}
      <ErrorState error={error} onRetry={() => void router.invalidate().then(reset)} />
    </Page>
  );
}
