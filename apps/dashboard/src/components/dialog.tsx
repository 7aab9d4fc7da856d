import { Dialog as Base } from '@base-ui/react/dialog';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { visibleText } from '../lib/text.ts';
import { sentenceCase } from './badge.tsx';
import { DialogHost } from './dialog-host.tsx';
import { Form } from './form.tsx';
import { useLeaveConfirmation, useTyped } from './leave-confirmation.ts';
import { Loaded } from './states.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** `side` is a panel at the edge for viewing a record; `centre` is for forms. */
  variant?: 'centre' | 'side';
  /** Escape and an outside press require a confirmation: for a secret that is shown once. */
  confirmsClose?: boolean;
  /** Id of the record that it shows, whose row gets the focus if a link to the record opened it. */
  record?: string | undefined;
}

const variants = {
  centre: 'inset-x-4 top-[8vh] mx-auto max-h-[84vh] max-w-lg rounded-xl',
  side: 'inset-y-0 right-0 w-full max-w-2xl border-l',
} as const;

/** These close the dialog by accident, so they require a confirmation if a secret or typed text would be lost. */
const accidental = new Set<string>(['escape-key', 'outside-press']);

const discard = 'Discard your changes?';
const closeAnyway = 'Close this window? The secret is shown only once.';

/** The element to focus when the dialog closes: the one that had the focus before, else the record's row, else the page. */
function useFinalFocus(record: string | undefined): () => HTMLElement | true | undefined {
  const [opener] = useState(() => document.activeElement);
  return () => {
    const page = document.getElementById('main');
    // After a navigation, the page has the focus, and nothing in it.
    if (opener !== null && opener !== document.body && opener !== page && opener.isConnected) return true;
    const row = record === undefined ? null : document.querySelector(`[data-opens="${CSS.escape(record)}"]`);
    return row instanceof HTMLElement ? row : (page ?? undefined);
  };
}

function useStepHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(title);
  useLayoutEffect(() => {
    if (before.current !== title && document.activeElement === document.body) heading.current?.focus();
    before.current = title;
  }, [title]);
  return heading;
}

/** A modal dialog. Escape, an outside press and Back require a confirmation if typed text would be lost. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  variant = 'centre',
  confirmsClose = false,
  record,
}: DialogProps): React.JSX.Element {
  const { isDirty, onInput } = useTyped();
  const heading = useStepHeading(title);
  const finalFocus = useFinalFocus(record);
  const hasUnsaved = (): boolean => confirmsClose || isDirty();
  useLeaveConfirmation(() => open && hasUnsaved());
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (next || (accidental.has(reason) && hasUnsaved() && !confirm(confirmsClose ? closeAnyway : discard))) return;
        onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-black/40" />
        <Base.Popup
          // The first control of a record may be below the fold, so the heading gets the focus.
          initialFocus={variant === 'side' ? heading : undefined}
          finalFocus={finalFocus}
          className={`fixed z-40 flex flex-col overflow-hidden bg-surface shadow-xl ${variants[variant]}`}
        >
          <DialogHost>
            <header className="border-b py-4 pr-14 pl-5">
              <Base.Title ref={heading} tabIndex={-1} className="text-base font-semibold wrap-anywhere outline-none">
                {visibleText(title)}
              </Base.Title>
              {description !== undefined && (
                <Base.Description className="mt-1 text-sm wrap-anywhere text-muted">
                  {typeof description === 'string' ? visibleText(description) : description}
                </Base.Description>
              )}
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4" onInput={onInput}>
              {children}
            </div>
            {/* Last, so that the focus starts in the content. */}
            <Base.Close
              aria-label="Close"
              className="absolute top-3 right-3 size-8 rounded text-lg leading-none text-muted hover:bg-sunken"
            >
              ×
            </Base.Close>
          </DialogHost>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export interface RecordDialogProps<Data extends { id: string }> {
  query: UseQueryResult<Data, unknown>;
  noun: string;
  title: (record: Data) => string;
  onClose: () => void;
  children: (record: Data) => ReactNode;
}

/** Shows a record. Another record in the same place gets controls of its own, so that no typed text moves to it. */
export function RecordDialog<Data extends { id: string }>(props: RecordDialogProps<Data>) {
  const { query, noun, title, onClose, children } = props;
  const shown = query.data === undefined ? sentenceCase(noun) : title(query.data);
  return (
    <Dialog open onClose={onClose} variant="side" title={shown} record={query.data?.id}>
      <Loaded query={query} label={`Loading the ${noun}`} lines={6}>
        {(record) => (
          <div key={record.id} className="flex flex-col gap-5">
            {children(record)}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

export interface ConfirmDialogProps {
  onClose: () => void;
  title: string;
  children: ReactNode;
  confirm: string;
  onConfirm: (data: FormData) => void;
  busy?: boolean;
  danger?: boolean;
  error?: unknown;
}

export function ConfirmDialog({ onClose, title, children, confirm, onConfirm, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form submit={confirm} onSubmit={onConfirm} onCancel={onClose} {...rest}>
        <div className="flex flex-col gap-3 text-sm">{children}</div>
      </Form>
    </Dialog>
  );
}
