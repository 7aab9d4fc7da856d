import type { Endpoint } from './endpoint-health.view.ts';

export interface EndpointDialogProps {
  endpoint: Endpoint;
  open: boolean;
  onClose: () => void;
}
