import { useQuery } from '@tanstack/react-query';
import { actorName } from '../../data/actor-name.ts';
import { fieldError } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { usePermission } from '../../session/use-session.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Options, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { Instant } from '../../ui/time.tsx';
import type { Agent, Flag } from './agent.view.ts';
import { CompanyOfAgent } from './place-fields.tsx';

const severities = ['info', 'warning', 'critical'] as const;

/** Raises a flag about what the agent did, also where it is detached by now. */
export function RaiseFlagDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const raise = useOperation('agentFlags.create', {
    done: 'The flag is raised.',
    quiet: true,
    onDone: onClose,
  });
  const { error } = raise;
  const submit = (data: FormData): void =>
    raise.mutate({
      agent_id: agent.id,
      company_id: formText(data, 'company_id') ?? '',
      title: formText(data, 'title') ?? '',
      body: formText(data, 'body'),
      severity: severities.find((severity) => severity === data.get('severity')),
      action_id: formText(data, 'action_id'),
    });
  return (
    <Dialog open onClose={onClose} title="Raise flag" description={`About something that ${agent.name} did.`}>
      <Form submit="Raise flag" busy={raise.isPending} error={error} onSubmit={submit} onCancel={onClose}>
        <CompanyOfAgent agent={agent} error={error} ended />
        <TextField label="Title" name="title" required error={fieldError(error, 'title')} />
        <SelectField label="Severity" name="severity" defaultValue="warning">
          <Options values={severities} />
        </SelectField>
        <TextArea label="What happened" name="body" error={fieldError(error, 'body')} />
        <TextField
          label="Action"
          name="action_id"
          placeholder="act_…"
          hint="The id of the action that it is about."
          error={fieldError(error, 'action_id')}
        />
      </Form>
    </Dialog>
  );
}

/** One flag; resolves it while it is open. */
export function FlagDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const query = useQuery(trpc.agentFlags.get.queryOptions({ flag_id: id }));
  const flag = query.data;
  return (
    <Dialog open onClose={onClose} variant="side" title={flag?.title ?? 'Flag'}>
      {query.isLoading && <Loading label="Loading the flag" />}
      {query.error && flag === undefined && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {flag && (
        <div className="flex flex-col gap-5">
          {flag.body !== null && <p className="text-sm whitespace-pre-wrap wrap-anywhere">{flag.body}</p>}
          <FlagFacts flag={flag} />
          {flag.status === 'open' && may('agentFlags.resolve') && <ResolveForm flag={flag} />}
        </div>
      )}
    </Dialog>
  );
}

function FlagFacts({ flag }: { flag: Flag }): React.JSX.Element {
  const { nameOf } = useCompanies([flag.company_id]);
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={flag.status} />],
        ['Severity', <StatusBadge key="severity" status={flag.severity} />],
        ['Company', nameOf(flag.company_id)],
        ['Action', flag.action_id && <code>{flag.action_id}</code>],
        ['Raised by', actorName(flag.raised_by)],
        ['Raised', <Instant key="raised" at={flag.created_at} />],
        ['Resolved by', flag.resolved_by && actorName(flag.resolved_by)],
        ['Resolved', flag.resolved_at && <Instant at={flag.resolved_at} />],
        ['Note', flag.resolution_note],
        ['Id', <code key="id">{flag.id}</code>],
      ]}
    />
  );
}

function ResolveForm({ flag }: { flag: Flag }): React.JSX.Element {
  const resolve = useOperation('agentFlags.resolve', {
    done: 'The flag is resolved.',
    quiet: true,
  });
  return (
    <section aria-label="Resolve" className="rounded-lg border p-4">
      <Form
        submit="Resolve flag"
        busy={resolve.isPending}
        error={resolve.error}
        onSubmit={(data) => resolve.mutate({ flag_id: flag.id, note: formText(data, 'note') })}
      >
        <TextArea label="What was done" name="note" error={fieldError(resolve.error, 'note')} />
      </Form>
    </section>
  );
}
