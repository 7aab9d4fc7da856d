/** Printable ASCII without a full stop: with one, `<id>.<t>.<body>` could be cut in two places. */
export const webhookIdPattern = /^[\x21-\x2d\x2f-\x7e]{1,255}$/;
