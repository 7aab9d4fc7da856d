import { useQuery } from '@tanstack/react-query';
import { fieldError } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Options, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { instantOf } from '../../ui/zoned-time.ts';

const priorities = ['low', 'normal', 'high', 'critical'] as const;

/** Issues a directive to the company, or to one case or agent of it. */
export function IssueDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const cases = useQuery(trpc.cases.list.queryOptions({ company_id: company.id, limit: 200 }));
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: company.id, limit: 200 }));
  const issue = useOperation('directives.create', {
    done: 'Directive issued.',
    onDone: onClose,
    quiet: true,
  });
  function submit(data: FormData): void {
    const due = formText(data, 'due_at');
    issue.mutate({
      company_id: company.id,
      title: formText(data, 'title') ?? '',
      body: formText(data, 'body'),
      priority: priorities.find((name) => name === formText(data, 'priority')),
      case_id: formText(data, 'case_id'),
      agent_id: formText(data, 'agent_id'),
      due_at: due === undefined ? undefined : (instantOf(due, company.timezone) ?? due),
    });
  }
  const { error } = issue;
  return (
    <Dialog open onClose={onClose} title="Issue a directive" description="In force until suspended or resolved.">
      <Form submit="Issue directive" onSubmit={submit} onCancel={onClose} busy={issue.isPending} error={error}>
        <TextField label="Title" name="title" required maxLength={200} error={fieldError(error, 'title')} />
        <TextArea label="Instructions (optional)" name="body" error={fieldError(error, 'body')} />
        <SelectField label="Priority" name="priority" defaultValue="normal" error={fieldError(error, 'priority')}>
          <Options values={priorities} />
        </SelectField>
        <SelectField label="Case (optional)" name="case_id" error={fieldError(error, 'case_id')}>
          <option value="">The whole company</option>
          {cases.data?.data.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField label="Agent (optional)" name="agent_id" error={fieldError(error, 'agent_id')}>
          <option value="">Every agent</option>
          {agents.data?.data.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Due (optional)"
          name="due_at"
          type="datetime-local"
          hint={`In the time of the company, ${company.timezone}.`}
          error={fieldError(error, 'due_at')}
        />
      </Form>
    </Dialog>
  );
}
