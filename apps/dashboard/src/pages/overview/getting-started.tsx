import { Link } from '@tanstack/react-router';
import { CodeBlock } from '../../components/copy.tsx';
import { Panel } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { ImportLink } from '../../components/shell/how-to-add.tsx';
import { firstPosts } from './getting-started.view.ts';

export function GettingStarted({ company }: { company: Company }): React.JSX.Element {
  if (company.status === 'dissolved') {
    return (
      <Panel title="No data">
        <p className="max-w-prose text-sm text-muted">
          <bdi>{company.name}</bdi> is dissolved and accepts no new data. None was posted before.
        </p>
      </Panel>
    );
  }
  const today = new Date().toISOString().slice(0, 10);
  return (
    <Panel title="Get started">
      <div className="flex min-w-0 flex-col gap-3">
        <p className="max-w-prose text-sm text-muted">
          <bdi>{company.name}</bdi> has no balances, transactions or statements yet. Post them with an API key in{' '}
          <code>$FINHOOK_API_KEY</code>, or{' '}
          <Link to="/connections" className="text-accent underline">
            connect a bank
          </Link>
          . <ImportLink>Or import a file from your bank.</ImportLink> This page updates as data arrives.
        </p>
        {firstPosts(globalThis.location.origin, company.id, company.base_currency, today).map(({ label, command }) => (
          <CodeBlock key={label} label={label} text={command} />
        ))}
      </div>
    </Panel>
  );
}
