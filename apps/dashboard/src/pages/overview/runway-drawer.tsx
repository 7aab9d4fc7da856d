import { Dialog } from '../../components/dialog.tsx';
import type { Outputs } from '../../lib/trpc.ts';
import { RunwayReasons } from './runway-reasons.tsx';

interface RunwayDrawerProps {
  companyId: string;
  runway: Outputs['financials']['runway'];
  open: boolean;
  onClose: () => void;
}

export function RunwayDrawer({ companyId, runway, open, onClose }: RunwayDrawerProps): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="How runway is calculated"
      description="The formula and its inputs."
      variant="side"
    >
      <RunwayReasons companyId={companyId} runway={runway} />
    </Dialog>
  );
}
