import { type ClipboardEvent, useState } from 'react';
import { TextArea } from '../../../components/field.tsx';
import { describeBody } from './raw-body.view.ts';

/**
 * A body, kept byte for byte. A browser's text field turns CRLF into LF, so a paste that replaces the whole text is
 * read from the clipboard, and files are read as bytes.
 */
export function BodyField({ body, onChange }: { body: string; onChange: (body: string) => void }): React.JSX.Element {
  const [fault, setFault] = useState<string>();
  const put = (text: string): void => {
    setFault(undefined);
    onChange(text);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (!text.includes('\r') || selectionStart !== 0 || selectionEnd !== value.length) return;
    event.preventDefault();
    put(text);
  };
  async function readFile(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      put(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()));
    } catch {
      setFault('The file is not UTF-8 text. Deliveries are; something has re-encoded it.');
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        label="Raw body"
        rows={8}
        spellCheck={false}
        value={body}
        onPaste={paste}
        onChange={(event) => put(event.target.value)}
        error={fault}
        hint="Exactly as received, before any parsing. A newline added by an editor or terminal changes the signature."
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-xs text-muted">
          {describeBody(body)}
        </p>
        <label className="text-xs">
          Or read it from a file:{' '}
          <input
            type="file"
            className="max-w-56 text-xs"
            onChange={(event) => {
              void readFile(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </label>
      </div>
    </div>
  );
}
