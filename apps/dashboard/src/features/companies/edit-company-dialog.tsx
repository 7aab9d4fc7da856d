import { useState } from 'react';
import { dirtyFields } from '../../data/dirty-fields.ts';
import { useOperation } from '../../operation/use-operation.ts';
import type { Company } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { CompanyFieldset } from './company-fields.tsx';
import { readCompanyFields } from './company-fields.view.ts';

/** Changes the fields of a company; an emptied field is cleared where a company may be without it. */
export function EditCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }): React.JSX.Element {
  // As the fields show it: it may change while they are open.
  const [shown] = useState(company);
  const [thresholdFault, setThresholdFault] = useState<string | undefined>();
  const update = useOperation('companies.update', {
    done: 'Company changed.',
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const fields = readCompanyFields(data, false);
    setThresholdFault('thresholdFault' in fields ? fields.thresholdFault : undefined);
    if ('thresholdFault' in fields) return;
    update.mutate({ company_id: company.id, ...dirtyFields(shown, fields) });
  }
  return (
    <Dialog open onClose={onClose} title={`Edit ${company.name}`}>
      <Form submit="Save company" onSubmit={submit} onCancel={onClose} busy={update.isPending} error={update.error}>
        <CompanyFieldset record={shown} error={update.error} thresholdFault={thresholdFault} />
      </Form>
    </Dialog>
  );
}
