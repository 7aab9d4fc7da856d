import { useQueryClient } from '@tanstack/react-query';
import { faultOf } from '../../data/problem.ts';
import { useTRPC } from '../../data/trpc.ts';
import { useAction } from '../../data/use-action.ts';
import { useCompany } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { filingTypes, typeWords } from './filing-words.ts';

/** Opens a filing by hand, beside those that the matrix opens. */
export function CreateFilingDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const client = useQueryClient();
  const company = useCompany();
  const create = useAction((ctx) => trpc.filings.create.mutationOptions(ctx), {
    done: 'Filing opened.',
    quiet: true,
    onDone: () => {
      void client.invalidateQueries(trpc.filings.pathFilter());
      onClose();
    },
  });
  function submit(data: FormData): void {
    create.mutate({
      company_id: company.id,
      type: filingTypes.find((name) => name === textOf(data, 'type')) ?? 'other',
      title: textOf(data, 'title'),
      jurisdiction: textOf(data, 'jurisdiction'),
      due_date: textOf(data, 'due_date') ?? '',
      notes: textOf(data, 'notes'),
    });
  }
  const { error } = create;
  return (
    <Dialog open onClose={onClose} title="Open a filing">
      <Form submit="Open filing" onSubmit={submit} onCancel={onClose} busy={create.isPending} error={error}>
        <SelectField label="Type" name="type" error={faultOf(error, 'type')}>
          {filingTypes.map((name) => (
            <option key={name} value={name}>
              {typeWords(name)}
            </option>
          ))}
        </SelectField>
        <TextField label="Due date" name="due_date" type="date" required error={faultOf(error, 'due_date')} />
        <TextField label="Title (optional)" name="title" maxLength={200} error={faultOf(error, 'title')} />
        <TextField
          label="Jurisdiction (optional)"
          name="jurisdiction"
          hint="ISO 3166, like US or US-DE"
          error={faultOf(error, 'jurisdiction')}
        />
        <TextArea label="Notes (optional)" name="notes" error={faultOf(error, 'notes')} />
      </Form>
    </Dialog>
  );
}
