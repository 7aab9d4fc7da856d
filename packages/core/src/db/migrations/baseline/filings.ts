/**
 * A resync opens one filing per obligation and due date. Matrix rows are due dates of obligations; their texts never
 * change.
 */
export const filings = `
CREATE TABLE filing (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  type text NOT NULL,
  title text NOT NULL,
  jurisdiction text,
  period_start date,
  period_end date,
  due_date date NOT NULL,
  status text NOT NULL CHECK (status IN ('open', 'submitted')),
  submitted_at timestamptz(3),
  submitted_by jsonb,
  confirmation_number text,
  fee_cents bigint,
  currency text,
  notes text,
  obligation_key text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX filing_due ON filing (company_id, due_date, id);
CREATE UNIQUE INDEX filing_obligation ON filing (company_id, obligation_key, due_date)
  WHERE obligation_key IS NOT NULL;

CREATE TABLE compliance_matrix (
  company_id text COLLATE "C" PRIMARY KEY REFERENCES company,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  resynced_at timestamptz(3) NOT NULL
);

CREATE TABLE compliance_item (
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  key text COLLATE "C" NOT NULL,
  due_date date NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  period_start date,
  period_end date,
  filing_id text COLLATE "C" REFERENCES filing,
  texts jsonb NOT NULL,
  PRIMARY KEY (company_id, key, due_date)
);
`;
