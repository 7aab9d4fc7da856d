import { useQuery } from '@tanstack/react-query';
import { fieldError } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { CheckField, Options, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import type { Case } from './case-moves.ts';

const priorities = ['low', 'normal', 'high', 'urgent'] as const;
const assignees = ['user', 'staff', 'agent'] as const;

export interface CaseFields {
  title: string;
  description: string | null;
  priority: Case['priority'];
  assignee: { type: (typeof assignees)[number]; id: string; name?: string } | null;
  agent_ids: string[];
}

/** What the form holds; empty fields are `null`, which empties them in the record. */
function readFields(data: FormData): CaseFields {
  const id = formText(data, 'assignee_id');
  const type = assignees.find((name) => name === formText(data, 'assignee_type')) ?? 'user';
  const called = formText(data, 'assignee_name');
  return {
    title: formText(data, 'title') ?? '',
    description: formText(data, 'description') ?? null,
    priority: priorities.find((name) => name === formText(data, 'priority')) ?? 'normal',
    assignee: id === undefined ? null : { type, id, ...(called === undefined ? {} : { name: called }) },
    agent_ids: data.getAll('agent_ids').filter((value) => typeof value === 'string'),
  };
}

export interface CaseFormProps {
  companyId: string;
  /** The case that is changed; a new one without it. */
  record?: Case;
  submit: string;
  onSubmit: (fields: CaseFields) => void;
  onCancel: () => void;
  busy: boolean;
  error: unknown;
}

/** The fields of a case, for a new one and for one that is changed. */
export function CaseForm({ companyId, record, submit, onSubmit, onCancel, busy, error }: CaseFormProps) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: companyId, limit: 200 }));
  const names = new Map(agents.data?.data.map(({ id, name }) => [id, name]));
  // Those that work on it already have a box at once and whatever became of them: without one they would be taken off.
  const offered = [...new Set([...(record?.agent_ids ?? []), ...names.keys()])];
  return (
    <Form submit={submit} onSubmit={(data) => onSubmit(readFields(data))} onCancel={onCancel} busy={busy} error={error}>
      <TextField
        label="Title"
        name="title"
        required
        maxLength={200}
        defaultValue={record?.title}
        error={fieldError(error, 'title')}
      />
      <TextArea
        label="Description (optional)"
        name="description"
        defaultValue={record?.description ?? ''}
        error={fieldError(error, 'description')}
      />
      <SelectField label="Priority" name="priority" defaultValue={record?.priority ?? 'normal'}>
        <Options values={priorities} />
      </SelectField>
      <fieldset className="flex flex-col gap-3 rounded-md border p-3">
        <legend className="px-1 text-sm font-medium">Assigned to (optional)</legend>
        <SelectField label="Kind" name="assignee_type" defaultValue={record?.assignee?.type ?? 'user'}>
          <Options values={assignees} />
        </SelectField>
        <TextField
          label="Id"
          name="assignee_id"
          defaultValue={record?.assignee?.id ?? ''}
          hint="Agent ID, or your own ID for the person. Leave empty for nobody."
          error={fieldError(error, 'assignee')}
        />
        <TextField label="Name (optional)" name="assignee_name" defaultValue={record?.assignee?.name ?? ''} />
      </fieldset>
      {offered.length > 0 && (
        <fieldset className="flex flex-col gap-2 rounded-md border p-3">
          <legend className="px-1 text-sm font-medium">Assigned agents</legend>
          {offered.map((id) => (
            <CheckField
              key={id}
              label={names.get(id) ?? id}
              name="agent_ids"
              value={id}
              defaultChecked={record?.agent_ids.includes(id) ?? false}
            />
          ))}
        </fieldset>
      )}
    </Form>
  );
}
