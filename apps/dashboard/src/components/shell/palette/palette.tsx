import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sentenceCase } from '../../badge.tsx';
import { useOpenDialog } from '../../dialog-host.tsx';
import { searchBox } from '../search-box.ts';
import type { Entry, EntryGroup } from './palette.view.ts';
import { useEntries } from './use-entries.ts';
import { useRecent } from './use-recent.ts';
import { type FoundRecord, useRecord } from './use-record.ts';

interface PaletteProps {
  typed: string;
  onType: (text: string) => void;
  /** Its field has the focus. */
  onReady: () => void;
  onClose: () => void;
}

/** Searches pages and records, and opens the page of a pasted id. */
export function Palette({ typed, onType, onReady, onClose }: PaletteProps): React.JSX.Element {
  const text = typed.trim();
  const record = useRecord(text);
  const { groups, isReading } = useEntries(record.state === 'none' ? text : '');
  const open = useOpenEntry(onClose);
  useEffect(() => {
    if (record.state === 'found') open({ id: text, label: sentenceCase(record.noun), hint: text, goes: record.route });
  });
  return (
    <Dialog.Root open onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={searchBox.backdrop} />
        <Dialog.Popup aria-label="Search" className={searchBox.popup}>
          <Autocomplete.Root
            inline
            open
            mode="none"
            items={record.state === 'none' ? groups : []}
            value={typed}
            onValueChange={onType}
            itemToStringValue={({ label }: Entry) => label}
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex items-center gap-2 border-b pr-3">
              <Autocomplete.Input
                aria-label="Search or paste an ID"
                placeholder={searchBox.placeholder}
                onFocus={onReady}
                className={searchBox.input}
              />
              <Dialog.Close className="rounded px-2 py-1 text-xs text-muted hover:bg-sunken">
                <span className="sr-only">Close </span>
                <span className="max-md:hidden">Esc</span>
                <span aria-hidden className="text-lg leading-none md:hidden">
                  ×
                </span>
              </Dialog.Close>
            </div>
            <Notice record={record} isReading={isReading} isEmpty={groups.length === 0} />
            <Autocomplete.List className="min-h-0 overflow-y-auto overscroll-contain p-2 empty:hidden">
              {(group: EntryGroup) => <Group key={group.label} group={group} onOpen={open} />}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Group({ group, onOpen }: { group: EntryGroup; onOpen: (entry: Entry) => void }): React.JSX.Element {
  return (
    <Autocomplete.Group items={group.items} className="not-last:mb-2">
      <Autocomplete.GroupLabel className="px-3 py-1 text-xs font-medium text-muted">
        {group.label}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(entry: Entry) => (
          <Autocomplete.Item
            key={entry.id}
            value={entry}
            onClick={() => onOpen(entry)}
            className="flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm data-highlighted:bg-accent-soft"
          >
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            <Hint text={entry.hint ?? entry.about} />
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

const NOTHING =
  'Nothing found. Search covers pages, actions, companies, endpoints, accounts, filings, cases, agents, categories, vendors, ' +
  'transactions and IDs.';

function Hint({ text }: { text: string | undefined }): React.JSX.Element | null {
  return text === undefined ? null : <span className="max-w-1/2 truncate text-xs text-muted">{text}</span>;
}

interface NoticeProps {
  record: FoundRecord;
  isReading: boolean;
  isEmpty: boolean;
}

function Notice({ record, isReading, isEmpty }: NoticeProps): React.JSX.Element {
  return (
    <p role="status" className="px-5 py-3 text-sm text-muted empty:hidden">
      {record.state === 'missing' && record.text}
      {(record.state === 'reading' || (record.state === 'none' && isReading)) && 'Searching…'}
      {record.state === 'none' && !isReading && isEmpty && NOTHING}
    </p>
  );
}

/** Closes the palette and does what the entry says. Pages are remembered as recent. */
function useOpenEntry(onClose: () => void): (entry: Entry) => void {
  const router = useRouter();
  const navigate = useNavigate();
  const openDialog = useOpenDialog();
  const { remember } = useRecent();
  return ({ label, hint, goes, opens }) => {
    onClose();
    if (opens) openDialog(opens);
    if (!goes) return;
    const href = 'href' in goes ? goes.href : router.buildLocation(goes).href;
    remember({ label, hint, href });
    void navigate({ href });
  };
}
