import { deliveryHeaders, type SignedAttempt, type Signer } from '@finhook/signing';

type CurlRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Linux allows 128 KiB for an argument. */
const maxArgumentBytes = 100_000;

/** Quotes a text without NUL (POSIX shell, 2.2.2 Single-Quotes). */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Makes a shell command that sends these headers and this body with curl. A long body is piped. */
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
  /** Signs both schemes; during a rotation with the old secret. */
  readonly signer: Signer;
  /** Further signers for `webhook-signature`, which is a list: the new secret during a rotation, and `v1a`. */
  readonly overlapSigners: readonly Pick<Signer, 'standard'>[];
};

export type DeliveryTarget = TargetSigners & {
  readonly url: string;
  /** The endpoint's own headers, in lower case. Those of the service override them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** During a rotation, `x-service-signature` uses the old secret and `webhook-signature` lists both. */
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

/** Each attempt has its own signature, over the whole seconds of `at`. */
export function prepareRequest(delivery: DeliveryToSend, target: DeliveryTarget, at: Date): PreparedRequest {
  const { body, eventId } = delivery;
  const timestamp = Math.floor(at.getTime() / 1000);
  let signatures = target.signer.standard(eventId, timestamp, body);
  for (const signer of target.overlapSigners) signatures += ` ${signer.standard(eventId, timestamp, body)}`;
  const headers = {
    // Some web application firewalls require it.
    accept: '*/*',
    ...target.headers,
    // Without it, any content coding is allowed (RFC 9110 section 12.5.3).
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
