/** One request to repeat by hand. */
type CurlRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Linux takes no argument of more than 128 KiB. */
const longestArgument = 100_000;

/** Quotes any text without NUL as one word of a POSIX shell (2.2.2 Single-Quotes). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * A command for a POSIX shell that sends these headers and exactly this body with curl. A body too long for an argument
 * is piped. `content-length` is left to curl, which is kept from adding headers of its own.
 */
export function toCurl({ url, headers, body }: CurlRequest): string {
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const piped = Buffer.byteLength(body) > longestArgument;
  const command = [
    `curl --globoff --request POST --url ${quote(url)}`,
    ...sent.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `--header 'Accept:' --header 'Expect:'`,
    piped ? '--data-binary @-' : `--data-raw ${quote(body)}`,
  ].join(' \\\n  ');
  return piped ? `printf '%s' ${quote(body)} | ${command}` : command;
}
