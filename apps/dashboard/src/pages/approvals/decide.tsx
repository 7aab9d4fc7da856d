import { type ReactNode, type RefCallback, useCallback, useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { useLeaveConfirmation, useTyped } from '../../components/leave-confirmation.ts';
import { Panel } from '../../components/page.tsx';

/** A button, and the form that it opens. */
export interface Step {
  id: string;
  label: string;
  variant: NonNullable<ButtonProps['variant']>;
  /** Says what the form does. */
  title: string;
  form: (end: { onCancel: () => void; onDone: () => void }) => ReactNode;
}

interface DecideProps {
  steps: readonly Step[];
  /** Why there is nothing to decide. */
  children?: ReactNode;
  onEnd: () => void;
}

/** A share of the screen's height. A higher bar would hide what is to be decided. */
const MOST_COVERED = 0.25;

function useIsLow(): [ref: RefCallback<HTMLElement>, isLow: boolean] {
  const [isLow, setLow] = useState(false);
  const ref = useCallback((bar: HTMLElement | null) => {
    if (bar === null) return undefined;
    const observer = new ResizeObserver(() => setLow(bar.offsetHeight <= innerHeight * MOST_COVERED));
    observer.observe(bar);
    return () => observer.disconnect();
  }, []);
  return [ref, isLow];
}

/** The last block of an approval. On a phone its buttons stay in view, unless they would cover the facts. */
export function Decide({ steps, children, onEnd }: DecideProps): React.JSX.Element {
  const [chosen, setChosen] = useState<{ id: string; isOpen: boolean }>();
  const [bar, isLow] = useIsLow();
  const step = steps.find(({ id }) => chosen?.isOpen === true && id === chosen.id);
  if (step !== undefined) {
    const onCancel = (): void => {
      setChosen({ id: step.id, isOpen: false });
      onEnd();
    };
    return (
      <Panel title="Decide">
        <StepForm key={step.id} title={step.title}>
          {step.form({ onCancel, onDone: onEnd })}
        </StepForm>
      </Panel>
    );
  }
  const inView = steps.length > 0 && isLow ? 'max-md:sticky max-md:bottom-0 max-md:z-10 max-md:shadow-lg' : '';
  return (
    <div ref={bar} className={`rounded-xl ${inView}`}>
      <Panel title={steps.length > 0 ? 'Decide' : 'Decision'}>
        <Choices steps={steps} last={chosen?.id} onChoose={(id) => setChosen({ id, isOpen: true })}>
          {children}
        </Choices>
      </Panel>
    </div>
  );
}

interface ChoicesProps extends Pick<DecideProps, 'steps' | 'children'> {
  /** The step whose form was shown before. */
  last: string | undefined;
  onChoose: (id: string) => void;
}

function Choices({ steps, children, last, onChoose }: ChoicesProps): React.JSX.Element {
  const block = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => {
    if (last !== undefined && document.activeElement === document.body) (button.current ?? block.current)?.focus();
  }, []);
  return (
    <div ref={block} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {children}
      {steps.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {steps.map(({ id, label, variant }) => (
            <Button
              key={id}
              ref={id === last ? button : undefined}
              variant={variant}
              className="min-w-0 py-1 whitespace-normal! wrap-anywhere"
              onClick={() => onChoose(id)}
            >
              {label}…
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function StepForm({ title, children }: { title: string; children: ReactNode }): React.JSX.Element {
  const section = useRef<HTMLElement>(null);
  const { isDirty, onInput } = useTyped();
  useLeaveConfirmation(isDirty);
  // The button that had the focus is gone.
  useEffect(() => {
    section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} aria-label={title} onInput={onInput}>
      {children}
    </section>
  );
}
