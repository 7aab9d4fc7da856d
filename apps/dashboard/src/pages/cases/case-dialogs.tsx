import { useQuery } from '@tanstack/react-query';
import { Options, SelectField, TextField } from '../../components/field.tsx';
import { formText } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { useRecordNames } from '../../lib/record-names.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { ErrorOf, FieldSlot } from '../../operation/operation-form.tsx';

export type Case = Outputs['cases']['get'];

function AssigneeFields({ assignee, errorOf }: { assignee: Case['assignee'] | undefined; errorOf: ErrorOf }) {
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border p-3">
      <legend className="px-1 text-sm font-medium">Assignee (optional)</legend>
      <SelectField label="Kind" name="assignee_type" defaultValue={assignee?.type ?? 'user'}>
        <Options values={['user', 'staff', 'agent']} />
      </SelectField>
      <TextField
        label="ID"
        name="assignee_id"
        defaultValue={assignee?.id ?? ''}
        hint="Agent ID, or your own ID for the person. Leave empty for no assignee."
        error={errorOf('assignee')}
      />
      <TextField label="Name (optional)" name="assignee_name" defaultValue={assignee?.name ?? ''} />
    </fieldset>
  );
}

function readAssignee(data: FormData): { value: unknown } {
  const id = formText(data, 'assignee_id');
  const name = formText(data, 'assignee_name');
  if (id === undefined) return { value: null };
  return { value: { type: formText(data, 'assignee_type'), id, ...(name !== undefined && { name }) } };
}

function useCaseFields(companyId: string, record?: Case) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({ company_id: companyId, limit: 200 }));
  const names = new Map(agents.data?.data.map(({ id, name }) => [id, name]));
  // Agents that already work on the case always get a box, even before their names load: otherwise saving would remove
  // them.
  const detached = useRecordNames(agents.data ? (record?.agent_ids ?? []).filter((id) => !names.has(id)) : []);
  const nameOf = (id: string): string => names.get(id) ?? detached.get(id) ?? id;
  const offered = [...new Set([...(record?.agent_ids ?? []), ...names.keys()])];
  return {
    title: { required: true },
    description: {},
    priority: { initial: 'normal' },
    assignee: {
      slot: (errorOf) => <AssigneeFields assignee={record?.assignee} errorOf={errorOf} />,
      read: readAssignee,
    },
    agent_ids: { label: 'Assigned agents', choices: offered.map((id) => [id, nameOf(id)] as const) },
  } satisfies Record<string, FieldOptions | FieldSlot>;
}

export function CreateCaseDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="cases.create"
      title="Create case"
      description="Track a notice, dispute or question."
      submit="Create case"
      done="Case created."
      fixed={{ company_id: company.id }}
      fields={useCaseFields(company.id)}
      onClose={onClose}
    />
  );
}

export function EditCaseDialog({ record, onClose }: { record: Case; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="cases.update"
      title="Edit case"
      submit="Save case"
      done="Case saved."
      fixed={{ case_id: record.id }}
      record={record}
      fields={useCaseFields(record.company_id, record)}
      onClose={onClose}
    />
  );
}
