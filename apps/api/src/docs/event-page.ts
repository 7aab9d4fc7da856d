import {
  type AnyEventType,
  eventDefinition,
  fieldOf,
  isOperationalEventType,
  type Operation,
  operations,
  thinData,
} from '@finhook/contracts';
import { sampleEnvelope } from '@finhook/core';
import { eventSchema, thinEventSchema } from '../rest/openapi/describe-webhooks.ts';
import { operationExamples } from './examples/operation-examples.ts';
import { blocks, code, fence, json, section } from './markdown-text.ts';
import { responseTable } from './operation-page.ts';
import { eventPath, operationPath, type Page, plainText } from './page.ts';
import { rowsOf } from './schema-fields.ts';

const test: Operation = operations.webhookEndpoints.test;

export function eventPage(type: AnyEventType, list: readonly Operation[]): Page {
  const { description, group } = eventDefinition(type);
  return {
    path: eventPath(type),
    title: type,
    summary: plainText(description),
    kind: 'Event',
    group,
    markdown() {
      return blocks(
        `# ${code(type)}`,
        description,
        isOperationalEventType(type) &&
          'An operational event: only endpoints whose `events` name it, or that have `operational: true`, get it.',
        section('Causes', ...causes(type, list)),
        section('Fields', responseTable(rowsOf(fieldOf(eventSchema(type), 'output')))),
        section('Sample', json(sampleEnvelope(type))),
        section('Thin form', ...thinForm(type)),
        section('Send me this one', ...testSends(type)),
      );
    },
  };
}

function thinForm(type: AnyEventType): string[] {
  const sample = sampleEnvelope(type);
  return [
    'The `data` that an endpoint with [`payload: thin`](/docs/receiving-webhooks#thin-events) gets, in the same envelope:',
    responseTable(rowsOf(fieldOf(thinEventSchema(type), 'output'))),
    json({ ...sample, data: thinData(type, sample.data) }),
  ];
}

function causes(type: AnyEventType, list: readonly Operation[]): string[] {
  const lines = (found: readonly Operation[]): string =>
    found.map(({ id, summary }) => `- [${summary}](${operationPath(id)}) (${code(id)})`).join('\n');
  const named = (types: readonly string[] | undefined): boolean => types?.includes(type) === true;
  const direct = list.filter(({ emits }) => named(emits));
  const later = list.filter(({ emits, emitsLater }) => named(emitsLater) && !named(emits));
  if (direct.length + later.length === 0) return ['The service emits it itself; no request does.'];
  return [
    ...(direct.length > 0 ? [`Emitted by a request:\n\n${lines(direct)}`] : []),
    ...(later.length > 0 ? [`Emitted later, because of an earlier request:\n\n${lines(later)}`] : []),
  ];
}

function testSends(type: AnyEventType): string[] {
  const examples = operationExamples({ ...test, example: { event: type } });
  return [
    `[${test.summary}](${operationPath(test.id)}) sends the sample to one of your endpoints, signed, with the header \`x-service-test: true\`:`,
    ...examples.map(({ language, label, code: text }) => fence(language, text, label)),
    'The [command line](/docs/command-line) sends it to an address of your machine:',
    fence('sh', `finhook trigger ${type} --forward-to http://127.0.0.1:4000/webhooks`),
    'In the dashboard, open an endpoint in [Webhooks](/dashboard/settings/webhooks) and choose *Send test event*.',
  ];
}
