import { deliveryHeaders, type SignedAttempt, type Signer } from '@finhook/signing';

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
  const hasAccept = sent.some(([name]) => name.toLowerCase() === 'accept');
  const piped = Buffer.byteLength(body) > maxArgumentBytes;
  const command = [
    `curl --globoff --request POST --url ${quote(url)}`,
    ...sent.map(([name, value]) => `--header ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `${hasAccept ? '' : `--header 'Accept:' `}--header 'Expect:'`,
    piped ? '--data-binary @-' : `--data-raw ${quote(body)}`,
  ].join(' \\\n  ');
  return piped ? `printf '%s' ${quote(body)} | ${command}` : command;
}

type DeliveryToSend = SignedAttempt & {
  /** The stored bytes of the event, signed and sent unchanged. */
  readonly body: Uint8Array;
};

type TargetSigners = {
  /** Signs both schemes. During the overlap of a rotation it has the old secret, so that no receiver breaks (D44). */
  readonly signer: Signer;
  /** Add entries to `webhook-signature`, which is a list: the new secret during an overlap, and `v1a`. */
  readonly overlapSigners: readonly Pick<Signer, 'standard'>[];
};

export type DeliveryTarget = TargetSigners & {
  readonly url: string;
  /** The endpoint's own headers, names in lower case. The service's headers override them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/**
 * During the overlap of a rotation `x-service-signature` uses the old secret, and `webhook-signature` lists both (D44).
 */
export function signersOf(keys: {
  readonly current: Signer;
  readonly previous: Signer | undefined;
  readonly asymmetric: Pick<Signer, 'standard'> | undefined;
}): TargetSigners {
  const { current, previous, asymmetric } = keys;
  return {
    signer: previous ?? current,
    overlapSigners: [...(previous === undefined ? [] : [current]), ...(asymmetric === undefined ? [] : [asymmetric])],
  };
}

export type PreparedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Adds the headers of one attempt. Each has its own signature, over the whole seconds of `at`. */
export function prepareRequest(delivery: DeliveryToSend, target: DeliveryTarget, at: Date): PreparedRequest {
  const { body, eventId } = delivery;
  const timestamp = Math.floor(at.getTime() / 1000);
  let signatures = target.signer.standard(eventId, timestamp, body);
  for (const signer of target.overlapSigners) signatures += ` ${signer.standard(eventId, timestamp, body)}`;
  const headers = {
    // A web application firewall may reject a request without it.
    accept: '*/*',
    ...target.headers,
    // Without it, a response in any content coding is right (RFC 9110 section 12.5.3).
    'accept-encoding': 'identity',
    'content-length': String(body.byteLength),
    ...deliveryHeaders(delivery, {
      timestamp,
      service: target.signer.service(timestamp, body),
      standard: signatures,
    }),
  };
  return { url: target.url, headers, body };
}
