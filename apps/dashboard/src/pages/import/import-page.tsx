import { useState } from 'react';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { EmptyState } from '../../components/states.tsx';
import { usePermission } from '../../lib/use-session.ts';
import { ChooseFile } from './choose-file.tsx';
import { ImportFile } from './import-file.tsx';

interface Chosen {
  file: File;
  /** The same file may be chosen again, to start over. */
  id: string;
}

export function ImportPage(): React.JSX.Element {
  // Above `NeedsCompany`, so that another company keeps the file.
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <Page
      title="Import file"
      intro="Transactions and balances from a file of your bank. You see the result before anything is stored."
    >
      <NeedsCompany>
        <Import chosen={chosen} onChoose={(file) => setChosen(file && { file, id: crypto.randomUUID() })} />
      </NeedsCompany>
    </Page>
  );
}

function Import({ chosen, onChoose }: { chosen: Chosen | undefined; onChoose: (file: File | undefined) => void }) {
  const may = usePermission();
  const company = useCompany();
  if (!may('bank.transactions.ingest')) {
    return (
      <EmptyState title="Your key can’t import files">
        Sign in with a key that has the permission <code>transactions:write</code>.
      </EmptyState>
    );
  }
  if (company.status === 'dissolved') {
    return <EmptyState title="No import">{company.name} is dissolved and accepts no new records.</EmptyState>;
  }
  if (!chosen) {
    return (
      <Panel title="Choose a file">
        <ChooseFile onChoose={onChoose} />
      </Panel>
    );
  }
  return <ImportFile key={chosen.id} id={chosen.id} file={chosen.file} onOther={() => onChoose(undefined)} />;
}
