/** A comment's attachments keep their order. */
export const cases = `
CREATE TABLE case_file (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  title text NOT NULL,
  description text,
  status text NOT NULL CHECK (status IN ('open', 'waiting', 'closed')),
  priority text NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'urgent')),
  opened_by jsonb NOT NULL,
  assignee jsonb,
  agent_ids text[] NOT NULL DEFAULT '{}',
  comment_count int NOT NULL DEFAULT 0,
  last_comment_at timestamptz(3),
  closed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX case_file_company ON case_file (company_id, id);
CREATE INDEX case_file_account ON case_file (account_id, id);

CREATE TABLE case_comment (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  case_id text COLLATE "C" NOT NULL REFERENCES case_file,
  author jsonb NOT NULL,
  body text NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('public', 'internal')),
  attachments jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX case_comment_case ON case_comment (case_id, id);

CREATE TABLE directive (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  case_id text COLLATE "C" REFERENCES case_file,
  agent_id text COLLATE "C" REFERENCES agent,
  title text NOT NULL,
  body text,
  priority text NOT NULL CHECK (priority IN ('low', 'normal', 'high', 'critical')),
  status text NOT NULL CHECK (status IN ('issued', 'suspended', 'resolved')),
  issued_by jsonb NOT NULL,
  issued_at timestamptz(3) NOT NULL,
  suspended_at timestamptz(3),
  suspended_reason text,
  resolved_at timestamptz(3),
  resolution text CHECK (resolution IN ('completed', 'cancelled', 'superseded')),
  resolution_note text,
  due_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX directive_company ON directive (company_id, id);
`;
