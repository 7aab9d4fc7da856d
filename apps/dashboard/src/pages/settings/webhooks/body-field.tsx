import { type ClipboardEvent, useState } from 'react';
import { TextArea } from '../../../components/field.tsx';
import { describeBody } from './signature-check.view.ts';

/**
 * A body, kept byte for byte. A browser's text field turns CRLF into LF, so a paste that replaces the whole text is
 * read from the clipboard, and files are read as bytes.
 */
export function BodyField({ body, onChange }: { body: string; onChange: (body: string) => void }): React.JSX.Element {
  const [error, setError] = useState<string>();
  const change = (text: string): void => {
    setError(undefined);
    onChange(text);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const text = event.clipboardData.getData('text/plain');
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (!text.includes('\r') || selectionStart !== 0 || selectionEnd !== value.length) return;
    event.preventDefault();
    change(text);
  };
  async function readFile(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      change(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()));
    } catch {
      setError('The file isn’t UTF-8. Deliveries are UTF-8, so something has re-encoded the body.');
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
        onChange={(event) => change(event.target.value)}
        error={error}
        hint="The exact bytes, before parsing. An added newline makes the signature invalid."
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-xs text-muted">
          {describeBody(body)}
        </p>
        <label className="text-xs">
          Or upload a file:{' '}
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
