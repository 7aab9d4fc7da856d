import { Migration } from '@mikro-orm/migrations';

/**
 * Comments on cases, directives, and what keeps internal comments inside: an event that is `internal` is sent to
 * endpoints with `include_internal` only. The attachments keep the order in which they came.
 */
const tables = `
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

ALTER TABLE webhook_endpoint ADD COLUMN include_internal boolean NOT NULL DEFAULT false;
ALTER TABLE event ADD COLUMN internal boolean NOT NULL DEFAULT false;
`;

export class Cases extends Migration {
  override up(): void {
    this.addSql(tables);
  }

  override down(): void {
    this.addSql('ALTER TABLE event DROP COLUMN internal');
    this.addSql('ALTER TABLE webhook_endpoint DROP COLUMN include_internal');
    this.addSql('DROP TABLE directive, case_comment');
  }
}
