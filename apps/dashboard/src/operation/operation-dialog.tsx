import type { MutationId } from '@finhook/contracts/catalogue';
import { type ReactNode, useContext, useState } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CompanyContext } from '../components/shell/company-context.ts';
import type { Output } from '../lib/trpc.ts';
import { usePermission } from '../lib/use-session.ts';
import { OperationForm, type OperationFormProps } from './operation-form.tsx';

export interface OperationDialogProps<Id extends MutationId> extends Omit<OperationFormProps<Id>, 'onCancel'> {
  title: string;
  description?: string | undefined;
  onClose: () => void;
  staysOpen?: (output: Output<Id>) => boolean;
}

/** A dialog with the form of an operation; it closes after a successful call. */
export function OperationDialog<Id extends MutationId>(props: OperationDialogProps<Id>): React.JSX.Element | null {
  const { title, description, onClose, onDone, staysOpen, ...form } = props;
  const may = usePermission();
  if (!may(props.operation)) return null;
  return (
    <Dialog open onClose={onClose} title={title} {...(description !== undefined && { description })}>
      <OperationForm<Id>
        {...form}
        onCancel={onClose}
        onDone={(output, input) => {
          if (staysOpen?.(output) === true) return;
          onClose();
          onDone?.(output, input);
        }}
      />
    </Dialog>
  );
}

export interface OperationButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  operation: MutationId;
  label: string;
  /** The operation needs the chosen company, which must not be dissolved. */
  here?: boolean;
  children: (close: () => void) => ReactNode;
}

export function OperationButton({ operation, label, here = false, children, ...button }: OperationButtonProps) {
  const may = usePermission();
  const company = useContext(CompanyContext);
  const [isOpen, setOpen] = useState(false);
  if (!may(operation) || (here && (company === undefined || company.status === 'dissolved'))) return null;
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
