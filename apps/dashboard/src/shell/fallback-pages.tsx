import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { EmptyState, ErrorState } from '../ui/states.tsx';

/** An address of the dashboard that leads nowhere. */
export function NotFoundPage(): React.JSX.Element {
  return (
    <EmptyState
      title="There is no such page"
      action={
        <Link to="/" className="text-accent underline">
          Go to the overview
        </Link>
      }
    >
      The address may have been cut off, or what it named is gone.
    </EmptyState>
  );
}

/** A page that failed while it was drawn or loaded. */
export function PageError({ error, reset }: ErrorComponentProps): React.JSX.Element {
  const router = useRouter();
  return (
    <div className="mx-auto max-w-2xl p-6">
      {/* What was loaded for the page failed with it: that is asked for again first. */}
      <ErrorState error={error} onRetry={() => void router.invalidate().then(reset)} />
    </div>
  );
}
