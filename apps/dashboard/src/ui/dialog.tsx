import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** One sentence under the title. */
  description?: ReactNode;
  children: ReactNode;
  /** `side` is a panel at the edge for looking at something beside the page; `centre` asks for something. */
  place?: 'centre' | 'side';
  /** A press beside it does not close it: for what must not be lost by accident, such as a secret that is shown once. */
  stays?: boolean;
}

const places = {
  centre: 'inset-x-4 top-[8vh] mx-auto max-h-[84vh] max-w-lg rounded-xl',
  side: 'inset-y-0 right-0 w-full max-w-2xl border-l',
} as const;

/** A modal window: holds the focus while it is open, and Escape closes it. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  place = 'centre',
  stays = false,
}: DialogProps): React.JSX.Element {
  return (
    <Base.Root open={open} disablePointerDismissal={stays} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-black/40" />
        <Base.Popup className={`fixed z-40 flex flex-col overflow-hidden bg-surface shadow-xl ${places[place]}`}>
          <header className="border-b py-4 pr-14 pl-5">
            <Base.Title className="text-base font-semibold wrap-anywhere">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-0.5 text-sm text-muted">{description}</Base.Description>
            )}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {/* Last, so that the focus begins in the content. */}
          <Base.Close
            aria-label="Close"
            className="absolute top-4 right-4 rounded px-2 text-xl leading-none text-muted hover:bg-sunken"
          >
            ×
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
