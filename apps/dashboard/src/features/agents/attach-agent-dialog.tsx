import { useQueries } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { CompanyContext } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { OlderCompanies } from '../../ui/older-companies.tsx';
import type { Agent } from './agent.view.ts';

const openStatuses = ['open', 'waiting'] as const;

/** Attaches an agent to a company, or to one case of it. A binding that ended is linked again. */
export function AttachAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const chosen = useContext(CompanyContext);
  const { all, hasMore } = useCompanies();
  const open = all.filter(({ status }) => status !== 'dissolved');
  const [picked, setPicked] = useState<string>();
  const companyId = picked ?? open.find(({ id }) => id === chosen?.id)?.id ?? open[0]?.id ?? '';
  // By status: the newest of all could be closed ones alone.
  const cases = useQueries({
    queries: openStatuses.map((status) =>
      trpc.cases.list.queryOptions({ company_id: companyId, status, limit: 200 }, { enabled: companyId !== '' }),
    ),
  });
  const attach = useOperation('agents.attach', {
    done: `${agent.name} is attached.`,
    quiet: true,
    onDone: onClose,
  });
  const submit = (data: FormData): void =>
    attach.mutate({
      agent_id: agent.id,
      company_id: companyId,
      case_id: formText(data, 'case_id'),
      role: formText(data, 'role'),
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Attach ${agent.name}`}
      description="An agent acts only where it is attached."
    >
      <Form submit="Attach agent" busy={attach.isPending} error={attach.error} onSubmit={submit} onCancel={onClose}>
        <SelectField
          label="Company"
          value={companyId}
          onChange={(event) => setPicked(event.target.value)}
          error={fieldError(attach.error, 'company_id')}
        >
          {open.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <OlderCompanies hasMore={hasMore} />
        </SelectField>
        <SelectField
          key={companyId}
          label="Case"
          name="case_id"
          hint="The newest two hundred that are open, and as many that wait."
          error={fieldError(attach.error, 'case_id')}
        >
          <option value="">The whole company</option>
          {cases
            .flatMap(({ data }) => data?.data ?? [])
            .map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
        </SelectField>
        <TextField
          label="Role"
          name="role"
          placeholder="bookkeeper"
          hint="What it does there. Attaching again where it is attached changes only this."
          error={fieldError(attach.error, 'role')}
        />
      </Form>
    </Dialog>
  );
}
