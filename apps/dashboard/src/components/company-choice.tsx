import { useCompanies } from '../lib/use-companies.ts';
import { OlderCompanies } from '../operation/record-options.tsx';
import { FilterChoice, type FilterChoiceProps } from './filter-bar.tsx';

export function CompanyChoice(props: Omit<FilterChoiceProps, 'label' | 'choices' | 'children'>): React.JSX.Element {
  const { all, hasMore, nameOf } = useCompanies([props.value ?? null]);
  const listed = all.map(({ id, name }) => [id, name] as const);
  const isListed = props.value === undefined || all.some(({ id }) => id === props.value);
  return (
    <FilterChoice
      {...props}
      label="Company"
      choices={isListed || props.value === undefined ? listed : [[props.value, nameOf(props.value)], ...listed]}
    >
      <OlderCompanies hasMore={hasMore} />
    </FilterChoice>
  );
}
