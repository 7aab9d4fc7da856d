import { maxCountedMatches } from '@finhook/contracts';
import {
  actOnEndpoint,
  type Core,
  DomainError,
  findFailedEvents,
  findOperatedEndpoint,
  type OperatedEndpoint,
  type OperatorAction,
  type OperatorOutcome,
  settleWithin,
} from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html } from '../http/html.ts';
import { readSmallBody } from '../http/read-body.ts';
import { formatCount, formatTime, opsPath, sendPage } from './page.ts';
import { checkConsoleOrigin } from './sign-in-routes.ts';

interface EndpointAction {
  readonly name: OperatorAction;
  readonly label: string;
  /** The effect, in words for the operator who is about to act. */
  readonly effect: string;
  /** The effect on the endpoint as it is now. */
  readonly preview?: (core: Core, endpointId: string, ms: number) => Promise<Html | undefined>;
  readonly done: (outcome: OperatorOutcome) => string;
}

export const endpointActions: readonly EndpointAction[] = [
  {
    name: 'pause',
    label: 'Pause',
    effect: 'Holds the deliveries of the endpoint back until its owner sets it to active.',
    done: ({ changed }) =>
      changed ? 'The endpoint is paused. Its deliveries are on hold.' : 'The endpoint was paused already.',
  },
  {
    name: 'probe',
    label: 'Probe',
    effect: 'Sends the next delivery of the failing endpoint now. If it succeeds, the others follow.',
    done: ({ delivery_id = '' }) => `The delivery ${delivery_id} is sent now. The overview has the outcome.`,
  },
  {
    name: 'replay-failed',
    label: 'Replay failed',
    effect:
      'Sends again, in the background, each event whose delivery to the endpoint failed permanently and that has not arrived since.',
    preview: previewReplay,
    done: ({ matched = 0, replay_id = '' }) => `The replay ${replay_id} has begun: ${eventCount(matched)}.`,
  },
];

/** Longer than a person waits; the count stops at its limit, but may have to pass many other events. */
const PREVIEW_MS = 4_000;

async function previewReplay(core: Core, endpointId: string, ms: number): Promise<Html | undefined> {
  // The statement has this limit, but not its wait for a connection of the pool.
  const found = await settleWithin(ms, findFailedEvents(core, endpointId, ms));
  if (found === undefined) return html`The events can’t be counted in time. The replay counts them.`;
  if (found.count === 0) return html`There are no such events now.`;
  const oldest = found.oldest !== null && html`, the oldest of ${formatTime(found.oldest)}`;
  return html`Now: <strong>${eventCount(found.count)}</strong>${oldest}.`;
}

function eventCount(count: number): string {
  return `${formatCount(count, maxCountedMatches)} ${count === 1 ? 'event' : 'events'}`;
}

interface ActionRequest {
  Params: { endpointId: string };
}

/** A reason of 500 characters in percent-encoding, and other fields. */
const maxBodyBytes = 16 * 1024;

export function actionPath(endpointId: string, name: OperatorAction): string {
  return `${opsPath}/endpoints/${endpointId}/${name}`;
}

/** Per action, a page that asks for the reason, and the action itself, for the page and for programs. */
export function registerEndpointActions(
  scope: FastifyInstance,
  {
    core,
    logger,
    previewMs = PREVIEW_MS,
  }: { readonly core: Core; readonly logger: Logger; readonly previewMs?: number | undefined },
): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBodyBytes },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
  scope.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest) => (await readSmallBody(request, maxBodyBytes)).value,
  );
  for (const action of endpointActions) {
    const path = `/:endpointId/${action.name}`;
    const readForm = async (endpointId: string) => {
      const [endpoint, preview] = await Promise.all([
        findOperatedEndpoint(core, endpointId),
        action.preview?.(core, endpointId, previewMs),
      ]);
      return { action, endpointId, endpoint, preview };
    };
    scope.get<ActionRequest>(path, async ({ params: { endpointId } }, reply) =>
      sendForm(reply, 200, await readForm(endpointId)),
    );
    scope.post<ActionRequest>(path, {
      // Before the body is read.
      onRequest: async (request) => checkConsoleOrigin(request),
      handler: async (request, reply) => {
        const { endpointId } = request.params;
        const reason: unknown = Reflect.get(Object(request.body), 'reason');
        const isPage = (request.headers.accept ?? '').includes('text/html');
        try {
          const origin = { id: request.id, ip: request.ip };
          const outcome = await actOnEndpoint(core, action.name, { endpointId, reason, request: origin });
          logger.info({ request_id: request.id, ip: request.ip, action: action.name, ...outcome }, 'an operator acted');
          return await (isPage ? sendDone(reply, action, outcome) : reply.send(outcome));
        } catch (error) {
          if (!isPage || !(error instanceof DomainError) || error.code === 'not_found') throw error;
          const typed = typeof reason === 'string' ? reason : '';
          return sendForm(reply, error.status, { ...(await readForm(endpointId)), problem: error.message, typed });
        }
      },
    });
  }
}

interface FormPage {
  readonly action: EndpointAction;
  readonly endpointId: string;
  readonly endpoint: OperatedEndpoint;
  readonly preview: Html | undefined;
  readonly problem?: string;
  readonly typed?: string;
}

function sendForm(reply: FastifyReply, status: number, page: FormPage): FastifyReply {
  const { action, endpointId, endpoint, preview, problem, typed = '' } = page;
  const { accountId, accountName, description } = endpoint;
  const describe: Html | false = problem !== undefined && html` aria-invalid="true" aria-describedby="problem"`;
  return sendPage(reply, status, {
    title: `${action.label}: ${description ?? endpointId}`,
    signedIn: true,
    main: html`<p>Endpoint <code>${endpointId}</code> of ${accountName} (<code>${accountId}</code>). ${action.effect}</p>
${preview !== undefined && html`<p>${preview}</p>`}
${problem !== undefined && html`<p id="problem" class="problem" role="alert">${problem}</p>`}
<form method="post" action="${actionPath(endpointId, action.name)}" class="stack">
<label for="reason">Reason (shown in the account’s activity log)</label>
<textarea id="reason" name="reason" rows="3" maxlength="500" required autofocus${describe}>${typed}</textarea>
<button>${action.label}</button>
</form>
<p><a href="${opsPath}">Cancel</a></p>`,
  });
}

function sendDone(reply: FastifyReply, { label, done }: EndpointAction, outcome: OperatorOutcome): FastifyReply {
  return sendPage(reply, 200, {
    title: label,
    signedIn: true,
    main: html`<p class="good" role="status">${done(outcome)}</p>
<p>Endpoint <code>${outcome.endpoint_id}</code>, account <code>${outcome.account_id}</code>.</p>
<p><a href="${opsPath}">Overview</a></p>`,
  });
}
