type CurlRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Below the 128 KiB that Linux allows for an argument. */
const maxArgumentBytes = 100_000;

/** Quotes a text without NUL for a POSIX shell (2.2.2 Single-Quotes). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Makes a POSIX shell command that sends exactly these headers and this body with curl, which computes
 * `content-length`. A body that is too long for an argument is piped.
 */
export function toCurl({ url, headers, body }: CurlRequest): string {
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const piped = Buffer.byteLength(body) > maxArgumentBytes;
  const command = [
    `curl --globoff --request POST --url ${quote(url)}`,
    ...sent.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `--header 'Accept:' --header 'Expect:'`,
    piped ? '--data-binary @-' : `--data-raw ${quote(body)}`,
  ].join(' \\\n  ');
  return piped ? `printf '%s' ${quote(body)} | ${command}` : command;
}
