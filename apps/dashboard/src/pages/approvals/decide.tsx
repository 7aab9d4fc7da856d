import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonProps } from '../../components/button.tsx';
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

/** The last block of an approval. On a phone its buttons stay in view. */
export function Decide({ steps, children, onEnd }: DecideProps): React.JSX.Element {
  const [chosen, setChosen] = useState<string>();
  const step = steps.find(({ id }) => id === chosen);
  if (step !== undefined) {
    const onCancel = (): void => {
      setChosen(undefined);
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
  const inView = steps.length > 0 ? 'max-md:sticky max-md:bottom-0 max-md:z-10 max-md:shadow-lg' : '';
  return (
    <Panel title={steps.length > 0 ? 'Decide' : 'Decision'} className={inView}>
      <div className="flex flex-col gap-3">
        {children}
        {steps.length > 0 && (
          <div className="flex max-h-[40vh] flex-wrap gap-2 overflow-y-auto p-0.5">
            {steps.map(({ id, label, variant }) => (
              <Button
                key={id}
                variant={variant}
                className="min-w-0 whitespace-normal! wrap-anywhere"
                onClick={() => setChosen(id)}
              >
                {label}…
              </Button>
            ))}
          </div>
        )}
      </div>
    </Panel>
  );
}

function StepForm({ title, children }: { title: string; children: ReactNode }): React.JSX.Element {
  const section = useRef<HTMLElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    section.current?.focus();
  }, []);
  return (
    <section ref={section} tabIndex={-1} aria-label={title}>
      {children}
    </section>
  );
}
