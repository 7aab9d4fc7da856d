import { useContext, useState } from 'react';
import { dirtyFields } from '../../data/dirty-fields.ts';
import { fieldError } from '../../data/problem.ts';
import { useCompanies } from '../../data/use-companies.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useReachesAll } from '../../session/use-session.ts';
import { CompanyContext } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { OlderCompanies } from '../../ui/older-companies.tsx';
import { type Agent, type AgentFields, metadataText, readMetadata } from './agent.view.ts';

function fieldsOf(data: FormData): AgentFields | { fault: string } {
  const read = readMetadata(formText(data, 'metadata') ?? '');
  if ('fault' in read) return read;
  return {
    name: formText(data, 'name') ?? '',
    provider: formText(data, 'provider') ?? '',
    model: formText(data, 'model') ?? null,
    email: formText(data, 'email') ?? null,
    phone: formText(data, 'phone') ?? null,
    metadata: read.metadata,
  };
}

/** Creates an agent, and attaches it to a company when one is chosen. */
export function CreateAgentDialog({ onClose, onDone }: { onClose: () => void; onDone: (agent: Agent) => void }) {
  const company = useContext(CompanyContext);
  const { all, hasMore } = useCompanies();
  const reachesAll = useReachesAll();
  const [fault, setFault] = useState<string>();
  const create = useOperation('agents.create', {
    done: ({ name }) => `${name} is created.`,
    quiet: true,
    onDone(agent) {
      onDone(agent);
    },
  });
  function submit(data: FormData): void {
    const fields = fieldsOf(data);
    setFault('fault' in fields ? fields.fault : undefined);
    if (!('fault' in fields)) create.mutate({ ...fields, company_id: formText(data, 'company_id') });
  }
  return (
    <Dialog open onClose={onClose} title="Create an agent" description="A program that acts for your companies.">
      <Form submit="Create agent" busy={create.isPending} error={create.error} onSubmit={submit} onCancel={onClose}>
        <AgentInputs error={create.error} metadataFault={fault} />
        <SelectField
          label="Attach to company"
          name="company_id"
          defaultValue={company?.status === 'dissolved' ? '' : (company?.id ?? '')}
          error={fieldError(create.error, 'company_id')}
        >
          {reachesAll && <option value="">No company yet</option>}
          {all
            .filter(({ status }) => status !== 'dissolved')
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          <OlderCompanies hasMore={hasMore} />
        </SelectField>
      </Form>
    </Dialog>
  );
}

/** Changes what is known of an agent. Fields that nobody touched are not sent. */
export function EditAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  // As the fields show it: it may change while they are open.
  const [shown] = useState(agent);
  const [fault, setFault] = useState<string>();
  const update = useOperation('agents.update', {
    done: 'The agent is saved.',
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const fields = fieldsOf(data);
    setFault('fault' in fields ? fields.fault : undefined);
    if ('fault' in fields) return;
    const changes = dirtyFields(shown, fields);
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate({ agent_id: agent.id, ...changes });
  }
  return (
    <Dialog open onClose={onClose} title={`Edit ${agent.name}`}>
      <Form submit="Save agent" busy={update.isPending} error={update.error} onSubmit={submit} onCancel={onClose}>
        <AgentInputs agent={shown} error={update.error} metadataFault={fault} />
      </Form>
    </Dialog>
  );
}

interface AgentInputsProps {
  agent?: Agent;
  error: unknown;
  metadataFault: string | undefined;
}

function AgentInputs({ agent, error, metadataFault }: AgentInputsProps): React.JSX.Element {
  return (
    <>
      <TextField label="Name" name="name" required defaultValue={agent?.name} error={fieldError(error, 'name')} />
      <TextField
        label="Provider"
        name="provider"
        required
        defaultValue={agent?.provider}
        hint="Who runs it, such as the name of a vendor or of your own team."
        error={fieldError(error, 'provider')}
      />
      <TextField label="Model" name="model" defaultValue={agent?.model ?? ''} error={fieldError(error, 'model')} />
      <TextField
        label="Email"
        name="email"
        type="email"
        defaultValue={agent?.email ?? ''}
        error={fieldError(error, 'email')}
      />
      <TextField
        label="Phone"
        name="phone"
        type="tel"
        defaultValue={agent?.phone ?? ''}
        hint="In the international form, like +14155550123."
        error={fieldError(error, 'phone')}
      />
      <TextArea
        label="Metadata"
        name="metadata"
        rows={3}
        className="[&_textarea]:font-mono"
        defaultValue={agent === undefined ? '' : metadataText(agent.metadata)}
        hint="Your own notes, one per line, as key: value."
        error={metadataFault ?? fieldError(error, 'metadata')}
      />
    </>
  );
}
