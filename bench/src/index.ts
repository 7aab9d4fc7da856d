/**
 * @finhook/bench: measures the service against limits that are taken in the same run on the same machine.
 *
 * Owns: the limits L1 to L4, the scenarios B1 to B8, the soak, and the table they print. Every part runs as the process it
 * is in production; the load and the receiver are processes of their own.
 * Must not: be imported by anything, be a test (nothing here passes or fails a build), or reach into a package's insides.
 */
export {};
