import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirm: string;
  onConfirm: (data: FormData) => void;
  busy?: boolean;
  danger?: boolean;
  error?: unknown;
}

export function ConfirmDialog({ open, onClose, title, children, confirm, onConfirm, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <Form submit={confirm} onSubmit={onConfirm} onCancel={onClose} {...rest}>
        <div className="flex flex-col gap-3 text-sm">{children}</div>
      </Form>
    </Dialog>
  );
}
