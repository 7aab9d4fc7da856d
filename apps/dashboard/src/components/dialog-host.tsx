import { useRouter, useRouterState } from '@tanstack/react-router';
import { createContext, Fragment, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { CompanyContext } from './shell/company-context.ts';

/** A dialog as it is when it is opened; later changes of the part that opened it don't reach it. */
export type OpenedDialog = (close: () => void) => ReactNode;

const OpenDialog = createContext<((dialog: OpenedDialog) => void) | undefined>(undefined);

/** Opens a dialog that stays until the user closes it, even if the part that opened it disappears. */
export function useOpenDialog(): (dialog: OpenedDialog) => void {
  const open = useContext(OpenDialog);
  if (!open) throw new Error('There is no dialog host above this component.');
  return open;
}

interface Opened {
  id: number;
  dialog: OpenedDialog;
  path: string;
  company: string | undefined;
}

/**
 * Renders the dialog that its content opens. Each page and each dialog is a host, so a dialog ends with these only, or
 * with another path or company, or with Back and Forward. A changed search parameter does not end it: it may be its own.
 */
export function DialogHost({ children }: { children: ReactNode }): React.JSX.Element {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const company = useContext(CompanyContext)?.id;
  const [opened, setOpened] = useState<Opened>();
  const count = useRef(0);
  const { history } = useRouter();
  // After Back or Forward, the part that opened the dialog may show something else: another tab, or a record.
  useEffect(() => {
    let { href } = history.location;
    return history.subscribe(({ location, action }) => {
      // A Back that the user took back leaves the location as it was.
      const hasMoved = location.href !== href;
      href = location.href;
      if (hasMoved && action.type !== 'PUSH' && action.type !== 'REPLACE') setOpened(undefined);
    });
  }, [history]);
  // The next page may be of the same kind and keep this host: the page of another company, for example.
  const hasOtherCompany = opened?.company !== undefined && company !== undefined && opened.company !== company;
  if (opened && (opened.path !== path || hasOtherCompany)) setOpened(undefined);
  // A late answer of a closed dialog must not close the next one.
  const close = (id: number): void => setOpened((now) => (now?.id === id ? undefined : now));
  return (
    <OpenDialog value={(dialog) => setOpened({ id: ++count.current, dialog, path, company })}>
      {children}
      {opened && <Fragment key={opened.id}>{opened.dialog(() => close(opened.id))}</Fragment>}
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
