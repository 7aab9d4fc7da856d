import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, formText } from '../../ui/form.tsx';
import { filingTypes, typeWords } from './filing-words.ts';

/** Opens a filing by hand, beside those that the matrix opens. */
export function CreateFilingDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  const create = useOperation('filings.create', {
    done: 'Filing opened.',
    quiet: true,
    onDone: onClose,
  });
  function submit(data: FormData): void {
    create.mutate({
      company_id: company.id,
      type: filingTypes.find((name) => name === formText(data, 'type')) ?? 'other',
      title: formText(data, 'title'),
      jurisdiction: formText(data, 'jurisdiction'),
      due_date: formText(data, 'due_date') ?? '',
      notes: formText(data, 'notes'),
    });
  }
  const { error } = create;
  return (
    <Dialog open onClose={onClose} title="Open a filing">
      <Form submit="Open filing" onSubmit={submit} onCancel={onClose} busy={create.isPending} error={error}>
        <SelectField label="Type" name="type" error={fieldError(error, 'type')}>
          {filingTypes.map((name) => (
            <option key={name} value={name}>
              {typeWords(name)}
            </option>
          ))}
        </SelectField>
        <TextField label="Due date" name="due_date" type="date" required error={fieldError(error, 'due_date')} />
        <TextField label="Title (optional)" name="title" maxLength={200} error={fieldError(error, 'title')} />
        <TextField
          label="Jurisdiction (optional)"
          name="jurisdiction"
          hint="ISO 3166, like US or US-DE"
          error={fieldError(error, 'jurisdiction')}
        />
        <TextArea label="Notes (optional)" name="notes" error={fieldError(error, 'notes')} />
      </Form>
    </Dialog>
  );
}
