export const agents = `
CREATE TABLE agent (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  name text NOT NULL,
  provider text NOT NULL,
  model text,
  phone text,
  email text,
  status text NOT NULL CHECK (status IN ('active', 'paused')),
  paused_reason text,
  metadata jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agent_account ON agent (account_id, id);
`;

/**
 * Bindings of agents to companies and cases, and the agents' actions and requests. A binding is unique by agent,
 * company and case, including none. Free JSON is stored as `json` to keep its text.
 */
export const agentRuntime = `
CREATE TABLE agent_binding (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  agent_id text COLLATE "C" NOT NULL REFERENCES agent,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  case_id text COLLATE "C" REFERENCES case_file,
  role text,
  status text NOT NULL CHECK (status IN ('linked', 'paused', 'unlinked')),
  linked_at timestamptz(3) NOT NULL,
  unlinked_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE NULLS NOT DISTINCT (agent_id, company_id, case_id)
);
CREATE INDEX agent_binding_company ON agent_binding (company_id, agent_id);

CREATE TABLE agent_action (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  agent_id text COLLATE "C" NOT NULL REFERENCES agent,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  case_id text COLLATE "C" REFERENCES case_file,
  run_id text COLLATE "C",
  external_id text COLLATE "C",
  type text NOT NULL,
  title text NOT NULL,
  status text NOT NULL CHECK (status IN ('logged', 'completed', 'failed', 'blocked')),
  risk text CHECK (risk IN ('low', 'medium', 'high')),
  input json,
  output json,
  error jsonb,
  blocked jsonb,
  cost jsonb,
  started_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  duration_ms bigint,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  UNIQUE (agent_id, external_id)
);
CREATE INDEX agent_action_agent ON agent_action (agent_id, id);

CREATE TABLE agent_approval (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  agent_id text COLLATE "C" NOT NULL REFERENCES agent,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  action_id text COLLATE "C" REFERENCES agent_action,
  title text NOT NULL,
  description text,
  payload json,
  risk text CHECK (risk IN ('low', 'medium', 'high')),
  options text[] NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'expired', 'cancelled')),
  requested_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3),
  decided_at timestamptz(3),
  decided_by jsonb,
  decision_comment text,
  edited_payload json,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  chosen_option text,
  requested_by jsonb
);
CREATE INDEX agent_approval_agent ON agent_approval (agent_id, id);
CREATE INDEX agent_approval_pending ON agent_approval (expires_at) WHERE status = 'pending';

CREATE TABLE agent_flag (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  agent_id text COLLATE "C" NOT NULL REFERENCES agent,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  action_id text COLLATE "C" REFERENCES agent_action,
  case_id text COLLATE "C" REFERENCES case_file,
  severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
  title text NOT NULL,
  body text,
  status text NOT NULL CHECK (status IN ('open', 'resolved')),
  raised_by jsonb NOT NULL,
  resolved_at timestamptz(3),
  resolved_by jsonb,
  resolution_note text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX agent_flag_agent ON agent_flag (agent_id, id);

CREATE TABLE runtime_snapshot (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  agent_id text COLLATE "C" NOT NULL UNIQUE REFERENCES agent,
  company_id text COLLATE "C" REFERENCES company,
  runtime text NOT NULL,
  state text NOT NULL CHECK (state IN ('idle', 'running', 'waiting_approval', 'error', 'stopped')),
  version int NOT NULL,
  checkpoint json,
  metrics jsonb,
  heartbeat_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
`;
