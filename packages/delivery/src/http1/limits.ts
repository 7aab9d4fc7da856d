export const maxHeaderBytes = 256 * 1024;
/** Maximum of interim (1xx) responses, and of their bytes. */
export const maxInterimResponses = 100;
export const maxInterimBytes = 64 * 1024;
