export const companies = `
CREATE TABLE company (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  name text NOT NULL,
  legal_name text,
  entity_type text,
  country text NOT NULL,
  jurisdiction text,
  tax_id_last4 text,
  base_currency text NOT NULL,
  timezone text NOT NULL,
  fiscal_year_end text,
  status text NOT NULL CHECK (status IN ('forming', 'active', 'dissolved')),
  wire_approval_threshold_cents bigint NOT NULL,
  metadata jsonb NOT NULL,
  dissolved_at timestamptz(3),
  dissolution_reason text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  prior_wire_terms jsonb NOT NULL DEFAULT '[]'
);
CREATE INDEX company_account ON company (account_id, id);

CREATE TABLE formation_step (
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  key text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  label text NOT NULL,
  position int NOT NULL,
  required boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'completed')),
  completed_at timestamptz(3),
  completed_by jsonb,
  evidence_url text,
  note text,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (company_id, key)
);
`;
