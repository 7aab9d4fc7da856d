import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../operation/use-operation.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { CompanyFieldset } from './company-fields.tsx';
import { readCompanyFields } from './company-fields.view.ts';

/** Creates a company and goes to it. */
export function CreateCompanyDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const navigate = useNavigate();
  const [thresholdFault, setThresholdFault] = useState<string | undefined>();
  const create = useOperation('companies.create', {
    done: 'Company created.',
    quiet: true,
    onDone: ({ id }) => {
      onClose();
      void navigate({ to: '/companies/$companyId', params: { companyId: id }, search: { company: id } });
    },
  });
  function submit(data: FormData): void {
    const fields = readCompanyFields(data, true);
    setThresholdFault('thresholdFault' in fields ? fields.thresholdFault : undefined);
    if ('thresholdFault' in fields) return;
    create.mutate({ ...fields, status: data.has('forming') ? 'forming' : 'active' });
  }
  return (
    <Dialog open onClose={onClose} title="Create a company">
      <Form submit="Create company" onSubmit={submit} onCancel={onClose} busy={create.isPending} error={create.error}>
        <CompanyFieldset error={create.error} thresholdFault={thresholdFault} />
        <CheckField
          label="Company is being formed"
          name="forming"
          hint="Adds the formation steps of the entity type. The company becomes active when all required steps are complete."
        />
      </Form>
    </Dialog>
  );
}
