import type { Endpoint } from './endpoint-health.view.ts';

/** What every window about one endpoint is given. */
export interface EndpointDialogProps {
  endpoint: Endpoint;
  open: boolean;
  onClose: () => void;
}
