/** What every runtime has to do: repeat a call, follow pages, recognise a problem, and verify with WebCrypto. */
export async function program({ createClient, isProblem, parseWebhook, signSampleEvent }, input) {
  const { connection, body, headers, secrets } = input;
  const retries = [];
  const onRetry = ({ operation, error }) => retries.push([operation, error.status]);
  const client = createClient({ ...connection, onRetry });
  const { id } = await client.companies.create({ name: input.name });
  const names = [];
  for await (const company of client.companies.list({ limit: 1 })) names.push(company.name);
  const missing = await client.companies
    .get({ company_id: 'co_none' })
    .catch((error) => isProblem(error, 'company_not_found'));
  const verdicts = await Promise.all(secrets.map((secret) => parseWebhook({ body, headers, secret })));
  const sample = await signSampleEvent('company.created', { secret: secrets[0] });
  verdicts.push(await parseWebhook({ ...sample, secret: secrets[0] }));
  return { id, retries, names, missing, verdicts: verdicts.map((each) => (each.ok ? each.event : each.reason)) };
}
