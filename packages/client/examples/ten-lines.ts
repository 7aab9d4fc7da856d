/* oxlint-disable finhook/imports, typescript/no-misused-promises, no-console, node/no-process-env -- a user's program */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseWebhook } from '@finhook/client';

createServer(async (request, response) => {
  const body = await buffer(request).catch(() => ''); // the raw bytes: a parsed body cannot be verified
  const result = await parseWebhook({ body, headers: request.headers, secret: process.env.WEBHOOK_SECRET ?? '' });
  if (result.ok) console.log(result.event.type, result.event.data);
  else console.warn(result.reason, result.hint);
  response.writeHead(result.ok ? 204 : 400).end();
}).listen(4000);
