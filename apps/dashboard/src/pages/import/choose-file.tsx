import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '../../components/button.tsx';

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
