import { describeId } from './scalars.ts';

/** The parameters of the routes, which mean the same on all of them. */
export const pathParameterDescriptions: Readonly<Record<string, string>> = {
  action_id: describeId('act'),
  agent_approval_id: describeId('aap'),
  agent_id: describeId('agent'),
  approval_id: describeId('apr'),
  balance_id: describeId('bal'),
  case_id: describeId('case'),
  company_id: describeId('co'),
  connection_id: describeId('conn'),
  delivery_id: describeId('dlv'),
  directive_id: describeId('dir'),
  endpoint_id: describeId('we'),
  event_id: describeId('evt'),
  filing_id: describeId('fil'),
  flag_id: describeId('flag'),
  key_id: describeId('key'),
  replay_id: describeId('rpl'),
  session_id: describeId('ses'),
  snapshot_id: describeId('fin'),
  step_key: 'Key of the formation step, for example `bylaws_adopted`.',
  sync_id: describeId('syn'),
  transaction_id: describeId('txn'),
};
