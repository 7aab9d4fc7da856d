/**
 * @finhook/bench: measures the service on this machine, and two checkouts of it against each other.
 *
 * Owns: the scenarios B1 to B11, the soak, and the table they print. Every part runs as the process it
 * is in production; the load and the receiver are processes of their own.
 * Must not: be imported by anything, be a test (nothing here passes or fails a build), or reach into a package's insides.
 */
export {};
