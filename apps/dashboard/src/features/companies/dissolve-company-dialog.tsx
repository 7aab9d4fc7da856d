import { useState } from 'react';
import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import type { Company } from '../../shell/company-context.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';

/** Dissolves a company for good; its name has to be typed, because nothing brings it back. */
export function DissolveCompanyDialog({ company, onClose }: { company: Company; onClose: () => void }) {
  const [wrongName, setWrongName] = useState<string | undefined>();
  const dissolve = useOperation('companies.dissolve', {
    done: 'Company dissolved.',
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    const same = formText(data, 'name') === company.name.trim();
    setWrongName(same ? undefined : `Type the name exactly: ${company.name}`);
    if (same) dissolve.mutate({ company_id: company.id, reason: formText(data, 'reason') });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Dissolve ${company.name}`}
      confirm="Dissolve company"
      danger
      busy={dissolve.isPending}
      error={dissolve.error}
      onConfirm={submit}
    >
      <p>
        All records stay readable, and nothing can be added or changed: no balances, transactions or filings. This can’t
        be undone.
      </p>
      <TextField label="Name of the company" name="name" error={wrongName} />
      <TextField
        label="Reason (optional)"
        name="reason"
        maxLength={1000}
        error={fieldError(dissolve.error, 'reason')}
      />
    </ConfirmDialog>
  );
}
