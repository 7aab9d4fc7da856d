/** The live api and worker processes: each writes its row every few seconds. */
export const processes = `
CREATE TABLE service_process (
  id text COLLATE "C" PRIMARY KEY,
  role text NOT NULL CHECK (role IN ('api', 'worker')),
  host text NOT NULL,
  pid int NOT NULL,
  version text NOT NULL,
  started_at timestamptz(3) NOT NULL,
  seen_at timestamptz(3) NOT NULL,
  in_flight int NOT NULL,
  connections_busy int NOT NULL,
  connections_idle int NOT NULL,
  connections_waiting int NOT NULL
) WITH (fillfactor = 50);
`;
