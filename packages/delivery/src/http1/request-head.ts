const fieldName = /^[!#$%&'*+.^_`|~\w-]+$/;
// Anything but tab, visible ASCII, space and the upper half of latin1.
const notFieldValue = /[^\t\x20-\x7e\x80-\xff]/;

export type HeadOfRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authority: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  readonly connection: 'keep-alive' | 'close';
};

/** Builds the head of a request, in latin1. @throws ERR_INVALID_CHAR */
export function requestHead({ method, path, authority, headers, bodyBytes, connection }: HeadOfRequest): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${authority}\r\nconnection: ${connection}\r\n`;
  if (method === 'POST' && headers['content-length'] === undefined) head += `content-length: ${bodyBytes}\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!fieldName.test(name) || notFieldValue.test(value)) throw invalid(name);
    head += `${name}: ${value}\r\n`;
  }
  return `${head}\r\n`;
}

function invalid(name: string): Error {
  const message = `the request header ${JSON.stringify(name)} has a character that is not allowed`;
  return Object.assign(new Error(message), { code: 'ERR_INVALID_CHAR' });
}
