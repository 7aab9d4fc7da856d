import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { fieldError } from '../../lib/problem.ts';
import { plural } from '../../lib/text.ts';
import { CategoryField } from './category-field.tsx';
import { type RowsProps, useChangeRows } from './use-change-rows.ts';

interface CategoryDialogProps extends RowsProps {
  onClose: () => void;
}

export function CategoryDialog({ rows, onDone, onClose }: CategoryDialogProps): React.JSX.Element {
  const { change, isChanging, error } = useChangeRows(rows, onDone);
  const [category, setCategory] = useState('');
  const { id } = useCompany();
  return (
    <Dialog open onClose={onClose} title={`Category of ${plural(rows.length, 'transaction')}`}>
      <Form
        submit="Set category"
        busy={isChanging}
        onSubmit={() => void change({ category: category || null }).then((isDone) => isDone && onClose())}
        onCancel={onClose}
        error={error}
      >
        <CategoryField
          companyId={id}
          value={category}
          onChange={setCategory}
          hint="Leave empty to restore the posted categories."
          error={fieldError(error, 'category')}
        />
      </Form>
    </Dialog>
  );
}
