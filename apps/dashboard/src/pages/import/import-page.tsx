import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '../../components/button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { EmptyState } from '../../components/states.tsx';
import { usePermission } from '../../lib/use-session.ts';
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

export function ChooseFile({ onChoose }: { onChoose: (file: File) => void }): React.JSX.Element {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const choose = (files: FileList | null): void => {
    const file = files?.[0];
    if (file) onChoose(file);
  };
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  return (
    <div
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        choose(event.dataTransfer.files);
      }}
      className={`flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-10 text-center ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
    >
      <label
        htmlFor={id}
        className={`${buttonClass('primary')} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
      >
        Choose file
        <input
          id={id}
          type="file"
          aria-describedby={`${id}-formats`}
          className="sr-only"
          onChange={({ target }) => choose(target.files)}
        />
      </label>
      <p className="hidden text-sm md:block">or drop it here</p>
      <p id={`${id}-formats`} className="max-w-prose text-sm text-muted">
        CSV, OFX or QFX, CAMT.053, MT940 or BAI2, up to 64 MiB. The file is read in this browser; only its rows are
        sent.
      </p>
    </div>
  );
}
