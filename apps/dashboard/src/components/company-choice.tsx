import { useCompanies } from '../lib/use-companies.ts';
import { FilterChoice, type FilterChoiceProps } from './filter-bar.tsx';

export const OLDER_COMPANIES = 'Shows the newest 200. Find older ones under Companies.';

export function OlderCompanies({ hasMore }: { hasMore: boolean }): React.JSX.Element | null {
  return hasMore ? <option disabled>{OLDER_COMPANIES}</option> : null;
}

export function CompanyChoice(props: Omit<FilterChoiceProps, 'label' | 'choices' | 'children'>): React.JSX.Element {
  const { value } = props;
  const { all, hasMore, nameOf } = useCompanies([value ?? null]);
  const listed = all.map(({ id, name }) => [id, name] as const);
  const older = value === undefined || all.some(({ id }) => id === value) ? [] : [[value, nameOf(value)] as const];
  return (
    <FilterChoice {...props} label="Company" choices={[...older, ...listed]}>
      <OlderCompanies hasMore={hasMore} />
    </FilterChoice>
  );
}
