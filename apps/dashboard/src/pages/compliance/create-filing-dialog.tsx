import { useCompany } from '../../components/shell/company-context.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';

export function CreateFilingDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="filings.create"
      title="Open a filing"
      submit="Open filing"
      done="Filing opened."
      fixed={{ company_id: company.id }}
      fields={{
        type: {},
        due_date: {},
        title: {},
        jurisdiction: { hint: 'ISO 3166, like US or US-DE' },
        notes: {},
      }}
      onClose={onClose}
    />
  );
}
