import { Migration } from '@mikro-orm/migrations';

/**
 * Formation steps are named by their key within a company. A wire's approval carries the threshold that it was judged
 * by, so that a later change of the company's threshold leaves it as it is.
 */
const tables = `
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

CREATE TABLE bank_approval (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account,
  company_id text COLLATE "C" NOT NULL REFERENCES company,
  connection_id text COLLATE "C",
  amount_cents bigint NOT NULL CHECK (amount_cents > 0),
  currency text NOT NULL,
  beneficiary jsonb NOT NULL,
  memo text,
  threshold_cents bigint NOT NULL,
  required_approvals int NOT NULL,
  reviews jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  requested_by jsonb NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  decided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX bank_approval_company ON bank_approval (company_id, id);
CREATE INDEX bank_approval_pending ON bank_approval (expires_at) WHERE status = 'pending';
`;

export class Companies extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('DROP TABLE bank_approval, formation_step');
  }
}
