import type { MutationId } from '@finhook/contracts/catalogue';
import { useIsMutating } from '@tanstack/react-query';
import { type ReactNode, useContext, useState } from 'react';
import { Dialog, type DialogProps } from '../components/dialog.tsx';
import { DialogButton, type DialogButtonProps } from '../components/dialog-host.tsx';
import { CompanyContext } from '../components/shell/company-context.ts';
import type { Output } from '../lib/trpc.ts';
import { usePermission } from '../lib/use-session.ts';
import { OperationForm, type OperationFormProps } from './operation-form.tsx';
import { secrets } from './operations.catalogue.ts';

export interface OperationDialogProps<Id extends MutationId> extends Omit<OperationFormProps<Id>, 'onCancel'> {
  title: string;
  description?: string | undefined;
  variant?: DialogProps['variant'];
  onClose: () => void;
  staysOpen?: (output: Output<Id>) => boolean;
  /** Replaces the form after a successful call, such as with a secret that is shown once. */
  result?: {
    title: string | ((output: Output<Id>) => string);
    description?: string;
    content: (output: Output<Id>) => ReactNode;
  };
}

export function OperationDialog<Id extends MutationId>(props: OperationDialogProps<Id>): React.JSX.Element | null {
  const { title, description, variant = 'centre', onClose, onDone, staysOpen, result, ...form } = props;
  const may = usePermission();
  const [output, setOutput] = useState<Output<Id>>();
  const isSending = useIsMutating({ mutationKey: [props.operation] }) > 0;
  const confirmsClose = secrets.includes(props.operation) && (isSending || output !== undefined);
  if (result && output !== undefined) {
    const shown = typeof result.title === 'function' ? result.title(output) : result.title;
    return (
      <Dialog
        open
        onClose={onClose}
        variant={variant}
        confirmsClose={confirmsClose}
        title={shown}
        description={result.description}
      >
        {result.content(output)}
      </Dialog>
    );
  }
  if (!may(props.operation)) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      variant={variant}
      confirmsClose={confirmsClose}
      title={title}
      description={description}
    >
      <OperationForm<Id>
        {...form}
        onCancel={onClose}
        onDone={(given, input) => {
          if (result) setOutput(given);
          if (result || staysOpen?.(given) === true) return;
          onClose();
          onDone?.(given, input);
        }}
      />
    </Dialog>
  );
}

export interface OperationButtonProps extends DialogButtonProps {
  operation: MutationId;
  needsCompany?: boolean;
}

export function OperationButton({ operation, needsCompany = false, ...button }: OperationButtonProps) {
  const may = usePermission();
  const company = useContext(CompanyContext);
  if (!may(operation) || (needsCompany && (company === undefined || company.status === 'dissolved'))) return null;
  return <DialogButton {...button} />;
}
