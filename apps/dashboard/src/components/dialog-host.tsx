import { useRouterState } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

/** A dialog as it is when it is opened; later changes of the part that opened it don't reach it. */
export type OpenedDialog = (close: () => void) => ReactNode;

const OpenDialog = createContext<((dialog: OpenedDialog) => void) | undefined>(undefined);

/** Opens a dialog that stays until the user closes it, even if the part that opened it disappears. */
export function useOpenDialog(): (dialog: OpenedDialog) => void {
  const open = useContext(OpenDialog);
  if (!open) throw new Error('There is no dialog host above this component.');
  return open;
}

/** Renders the dialog that its content opens. Each page and each dialog is a host, so a dialog ends with these only. */
export function DialogHost({ children }: { children: ReactNode }): React.JSX.Element {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [opened, setOpened] = useState<{ dialog: OpenedDialog; path: string }>();
  // The next page may be of the same kind and keep this host: the page of another company, for example.
  if (opened && opened.path !== path) setOpened(undefined);
  return (
    <OpenDialog value={(dialog) => setOpened({ dialog, path })}>
      {children}
      {opened?.dialog(() => setOpened(undefined))}
    </OpenDialog>
  );
}

export interface DialogButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  label: string;
  children: OpenedDialog;
}

export function DialogButton({ label, children, ...button }: DialogButtonProps): React.JSX.Element {
  const openDialog = useOpenDialog();
  return (
    <Button {...button} onClick={() => openDialog(children)}>
      {label}
    </Button>
  );
}
