import { Button } from '../../components/button.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { type Outputs } from '../../lib/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';

function summaryOf(done: Outputs['compliance']['resync']): string {
  const left = done.filings_left_open.length;
  return (
    `${done.items_added} obligations added, ${done.items_changed} changed, ${done.items_removed} removed; ` +
    `${done.filings_opened} filings opened.` +
    (left === 0 ? '' : ` ${left} open filings no longer apply: submit them or leave them.`)
  );
}

export function ResyncButton(): React.JSX.Element {
  const company = useCompany();
  const resync = useOperation('compliance.resync', {
    done: summaryOf,
  });
  return (
    <Button busy={resync.isPending} onClick={() => resync.mutate({ company_id: company.id })}>
      Resync obligations
    </Button>
  );
}
