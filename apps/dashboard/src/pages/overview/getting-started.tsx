import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/copy.tsx';
import { Panel } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { ImportLink } from '../../components/shell/how-to-add.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { useEndpoints } from '../settings/webhooks/use-endpoints.ts';
import { type Step, stepsOf } from './getting-started.view.ts';

const STORED = 'get-started';
const DISMISSED = 'dismissed';

/** The keys that a provider may post with, for those who may create one. */
export function useProviderKeys() {
  const trpc = useTRPC();
  const may = usePermission();
  const enabled = may('apiKeys.create') && localStorage.getItem(STORED) !== DISMISSED;
  const input = { status: 'active', scope: 'ingest', limit: 200 } as const;
  return useQuery(trpc.apiKeys.list.queryOptions(input, { enabled }));
}

/** The steps from the first data to a verified webhook, for a company without data. */
export function FirstSteps({ company }: { company: Company }): React.JSX.Element | null {
  const { steps, next, dismiss } = useFirstSteps(company, true);
  if (company.status === 'dissolved') return <NoData company={company} />;
  if (next === undefined) return null;
  return (
    <Panel
      title="Get started"
      className="print:hidden"
      actions={
        <>
          <DoneCount steps={steps} />
          <DismissButton onClick={dismiss} />
        </>
      }
    >
      <StepList steps={steps} next={next} />
    </Panel>
  );
}

/** The same steps in one line once there is data, until all are done. */
export function ProgressLine({ company }: { company: Company }): React.JSX.Element | null {
  const { steps, next, dismiss } = useFirstSteps(company, false);
  if (company.status === 'dissolved' || next === undefined) return null;
  return (
    <section aria-label="Get started" className="relative rounded-xl border bg-surface print:hidden">
      <details>
        <summary className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 rounded-xl py-2 pr-28 pl-5 text-sm">
          <span className="font-semibold">Get started</span>
          <progress
            aria-label="Steps done"
            max={steps.length}
            value={steps.filter(({ isDone }) => isDone).length}
            className="h-2 w-32 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
          <DoneCount steps={steps} />
          <span className="text-accent underline">Next: {texts[next.id].title}</span>
        </summary>
        <div className="border-t px-5 py-4">
          <StepList steps={steps} next={next} />
        </div>
      </details>
      <div className="absolute top-2 right-3">
        <DismissButton onClick={dismiss} />
      </div>
    </section>
  );
}

function useFirstSteps(company: Company, isEmpty: boolean) {
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(STORED) === DISMISSED);
  const steps = useSteps(company, isEmpty);
  return {
    steps,
    next: isDismissed ? undefined : steps.find(({ isDone }) => !isDone),
    dismiss: (): void => {
      localStorage.setItem(STORED, DISMISSED);
      setDismissed(true);
    },
  };
}

function DoneCount({ steps }: { steps: readonly Step[] }): React.JSX.Element {
  return (
    <span role="status" className="text-sm text-muted">
      {steps.filter(({ isDone }) => isDone).length} of {steps.length} done
    </span>
  );
}

function DismissButton({ onClick }: { onClick: () => void }): React.JSX.Element {
  return (
    <Button size="small" variant="quiet" onClick={onClick}>
      Dismiss
    </Button>
  );
}

function StepList({ steps, next }: { steps: readonly Step[]; next: Step }): React.JSX.Element {
  return (
    <>
      <p className="max-w-prose text-sm text-muted">
        Send data and receive your first webhook. Set <code>$FINHOOK_API_KEY</code> first. This list updates as you go.
      </p>
      <ol className="mt-3 flex min-w-0 flex-col divide-y">
        {steps.map((step, i) => (
          <StepItem key={step.id} step={step} number={i + 1} isNext={step === next} />
        ))}
      </ol>
    </>
  );
}

function useSteps(company: Company, isEmpty: boolean): Step[] {
  const may = usePermission();
  const endpoints = useEndpoints();
  const keys = useProviderKeys();
  const mayPost = may('cash.balances.upsert') || may('bank.transactions.ingest');
  const facts = {
    company,
    hasData: mayPost ? !isEmpty : undefined,
    endpoints: may('webhookEndpoints.create') ? endpoints.data?.data : undefined,
    keys: keys.data?.data,
  };
  return stepsOf(facts, globalThis.location.origin, new Date());
}

const link = 'text-accent underline';

const texts: Record<Step['id'], { title: string; text: ReactNode }> = {
  data: {
    title: 'Post your data',
    text: (
      <>
        Post a balance, a transaction or a statement, <ImportLink className={link}>import a bank file</ImportLink>, or{' '}
        <Link to="/connections" className={link}>
          connect a bank
        </Link>
        .
      </>
    ),
  },
  endpoint: {
    title: 'Create a webhook endpoint',
    text: (
      <>
        Every change of your data is sent there, signed with the endpoint’s secret.{' '}
        <Link to="/settings/webhooks" className={link}>
          Create an endpoint
        </Link>
      </>
    ),
  },
  delivery: {
    title: 'Receive an event',
    text: (
      <>
        Verify the signature and return 2xx.{' '}
        <Link to="/settings/webhooks" search={{ tab: 'deliveries' }} className={link}>
          View deliveries
        </Link>{' '}
        <Link to="/settings/webhooks" search={{ tab: 'check' }} className={link}>
          Verify a signature
        </Link>
      </>
    ),
  },
  key: {
    title: 'Create a key for your provider',
    text: (
      <>
        Your bank sync gets a key of its own, which posts data and can do nothing else.{' '}
        <Link to="/settings/keys" className={link}>
          Create a key
        </Link>
      </>
    ),
  },
};

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }): React.JSX.Element {
  const { title, text } = texts[step.id];
  const id = useId();
  return (
    <li aria-labelledby={id} aria-current={isNext ? 'step' : undefined} className="flex min-w-0 gap-3 py-3">
      <span
        aria-hidden
        className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${step.isDone ? 'bg-good-soft text-good' : 'bg-sunken text-muted'}`}
      >
        {step.isDone ? '✓' : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p id={id} className={step.isDone ? 'text-muted' : 'font-medium'}>
          {title}
          {step.isDone && <span className="sr-only"> (done)</span>}
        </p>
        {!step.isDone && <p className="max-w-prose text-sm text-muted">{text}</p>}
        {!step.isDone && step.commands.length > 0 && (
          <details open={isNext}>
            <summary className="cursor-pointer text-sm text-accent">Commands</summary>
            <div className="mt-2 flex min-w-0 flex-col gap-3">
              {step.commands.map(({ label, command }) => (
                <CodeBlock key={label} label={label} text={command} />
              ))}
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

function NoData({ company }: { company: Company }): React.JSX.Element {
  return (
    <Panel title="No data">
      <p className="max-w-prose text-sm text-muted">
        <bdi>{company.name}</bdi> is dissolved and accepts no new data. None was posted before.
      </p>
    </Panel>
  );
}
