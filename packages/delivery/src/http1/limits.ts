/** Bytes of the status line and the headers of one response. */
export const maxHeaderBytes = 256 * 1024;
/** Interim (1xx) responses before the final one: their number, and their bytes in all. */
export const maxInterimResponses = 100;
export const maxInterimBytes = 64 * 1024;
