import { useQuery } from '@tanstack/react-query';
import { sentenceCase } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { Loaded } from '../../components/states.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { useChangeSettings } from '../../operation/use-change-settings.ts';
import { directionNames, type FlowRule, withoutRule } from '../transactions/flow-rules.view.ts';

/** The rules that classify transactions by their text, in the order in which they decide. */
export function FlowRulesPanel({ companyId, mayChange }: { companyId: string; mayChange: boolean }) {
  const trpc = useTRPC();
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id: companyId }));
  const save = useChangeSettings(companyId, { done: 'Rule removed. Figures are recalculated.' });
  return (
    <Panel title="Rules" flush className="self-start">
      <p className="px-5 pb-2 text-sm text-muted">
        A rule sets the class or category of the transactions whose category, vendor or description contains its text.
        The first rule that matches applies. To make one, open a transaction.
      </p>
      <Loaded query={settings} label="Loading rules" flush>
        {({ flow_rules: rules }) => (
          <SimpleTable
            label="Rules"
            rows={rules}
            keyOf={(rule) => `${rules.indexOf(rule)}`}
            empty={<p className="px-5 pb-4 text-sm text-muted">No rules yet.</p>}
            columns={[
              { title: 'Text', cell: ({ contains }) => contains },
              {
                title: 'Direction',
                wide: true,
                cell: ({ direction }) => (direction ? directionNames[direction] : 'Both'),
              },
              { title: 'Class', cell: ({ flow_class }) => (flow_class === undefined ? '–' : sentenceCase(flow_class)) },
              { title: 'Category', wide: true, cell: ({ category }) => category ?? '–' },
              ...(mayChange
                ? [
                    {
                      title: 'Change',
                      align: 'end' as const,
                      cell: (rule: FlowRule) => (
                        <Button
                          size="small"
                          variant="quiet"
                          busy={save.isPending}
                          aria-label={`Remove the rule for ${rule.contains}`}
                          onClick={() => save.mutate((stored) => withoutRule(stored, rule))}
                        >
                          Remove
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
