import { Button } from '../../../../components/button.tsx';
import { Dialog } from '../../../../components/dialog.tsx';
import { movingOn, useListSearch } from '../../../../operation/resource-list.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { shown } from './pane-search.ts';
import { PANE } from './use-pane-keys.ts';

interface DeliveryPaneProps {
  /** Beside the list; on a narrow screen, a dialog covers it. */
  isBeside: boolean;
  onStep: (by: number) => void;
  onClose: () => void;
}

export function DeliveryPane({ isBeside, onStep, onClose }: DeliveryPaneProps): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const { delivery, attempt, compare } = search;
  const details = delivery !== undefined && (
    <DeliveryDetails
      key={delivery}
      deliveryId={delivery}
      chosen={{ attempt, compare }}
      onChoose={(change) => setSearch(change, movingOn)}
      onShow={(id) => setSearch(shown(id), movingOn)}
    />
  );
  if (!isBeside)
    return (
      <Dialog open={delivery !== undefined} onClose={onClose} variant="side" title="Delivery" description={delivery}>
        {details}
      </Dialog>
    );
  return (
    <section
      id={PANE}
      aria-label="Delivery"
      tabIndex={-1}
      className="flex max-h-[calc(100vh-5rem)] min-w-0 flex-col overflow-hidden rounded-xl border bg-surface outline-none focus-visible:outline-2 lg:sticky lg:top-16"
    >
      <header className="flex items-center gap-1 border-b py-2 pr-2 pl-5">
        <h2 className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 text-sm font-semibold">
          Delivery <span className="font-mono text-xs font-normal wrap-anywhere text-muted">{delivery}</span>
        </h2>
        <PaneButton label="Previous delivery" text="↑" onClick={() => onStep(-1)} />
        <PaneButton label="Next delivery" text="↓" onClick={() => onStep(1)} />
        <PaneButton label="Close" text="×" onClick={onClose} />
      </header>
      <div className="min-h-0 overflow-y-auto px-5 py-4">{details}</div>
    </section>
  );
}

function PaneButton({ label, text, onClick }: { label: string; text: string; onClick: () => void }) {
  return (
    <Button size="small" variant="quiet" repeats aria-label={label} title={label} onClick={onClick}>
      <span aria-hidden>{text}</span>
    </Button>
  );
}
