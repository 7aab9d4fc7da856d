import type { ProcessReport } from '../src/modules/processes/service-processes.ts';

export const processReport: ProcessReport = {
  id: 'proc_1',
  role: 'api',
  host: 'b1',
  pid: 7,
  version: '1',
  uptimeMs: 1,
  inFlight: 0,
  connections: { busy: 0, idle: 0, waiting: 0 },
};
