/**
 * @finhook/bench: measures the service on this machine, and compares two checkouts. Owns the scenarios B1 to B12, the
 * soak, and their table. Every part runs in the same process as in production; load and receiver run in their own. Must
 * not be imported, be a test (nothing here passes or fails a build), or reach into a package's internals.
 */
export {};
