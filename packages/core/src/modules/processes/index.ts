/** processes: which api and worker processes are alive. */
export { announceProcess, listProcesses, purgeProcesses, type ServiceProcess } from './service-processes.ts';
export { type Heartbeat, type HeartbeatOptions, startHeartbeat } from './start-heartbeat.ts';
