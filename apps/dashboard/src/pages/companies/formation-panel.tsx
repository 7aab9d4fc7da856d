import { Badge } from '../../components/badge.tsx';
import { ExternalLink } from '../../components/links.tsx';
import { Panel } from '../../components/page.tsx';
import type { Company } from '../../components/shell/company-context.ts';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';

type Step = Company['formation']['steps'][number];

export function FormationPanel({ company, mayComplete }: { company: Company; mayComplete: boolean }) {
  const { completed_steps: done, total_steps: total, steps } = company.formation;
  return (
    <Panel title="Formation">
      <p className="mb-2 text-sm text-muted">
        {done} of {total} steps completed
      </p>
      <progress aria-label="Formation" value={done} max={total} className="mb-4 h-2 w-full accent-accent" />
      <ol className="flex flex-col divide-y">
        {steps.map((step) => (
          <li key={step.key} className="flex flex-wrap items-start justify-between gap-3 py-3">
            <StepText step={step} />
            {step.status === 'pending' && mayComplete && (
              <OperationButton
                size="small"
                operation="companies.formation.completeStep"
                label="Complete"
                aria-label={`Complete ${step.label}`}
              >
                {(close) => <CompleteDialog company={company} step={step} onClose={close} />}
              </OperationButton>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function StepText({ step }: { step: Step }): React.JSX.Element {
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span aria-hidden>{step.status === 'completed' ? '✓' : '○'}</span>
        <span className="font-medium">{step.label}</span>
        {!step.required && <Badge>Optional</Badge>}
        <span className="sr-only">{step.status}</span>
      </p>
      {step.completed_at !== null && (
        <p className="text-muted">
          <Instant at={step.completed_at} /> by {step.completed_by && actorName(step.completed_by)}
        </p>
      )}
      {step.note !== null && <p className="wrap-anywhere">{step.note}</p>}
      {step.evidence_url !== null && <ExternalLink href={step.evidence_url}>Evidence</ExternalLink>}
    </div>
  );
}

function CompleteDialog({ company, step, onClose }: { company: Company; step: Step; onClose: () => void }) {
  return (
    <OperationDialog
      operation="companies.formation.completeStep"
      title={step.label}
      submit="Complete step"
      done="Step completed."
      fixed={{ company_id: company.id, step_key: step.key }}
      fields={{ note: {}, evidence_url: { label: 'Evidence URL', type: 'url', placeholder: 'https://…' } }}
      onClose={onClose}
    />
  );
}
