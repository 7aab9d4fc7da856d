import { type CsvAnswers, type CsvPreview, dateFormats, type Question } from '@finhook/bank-files';
import { Button } from '../../components/button.tsx';
import { CheckField, Options, SelectField, TextField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import {
  type ColumnField,
  type Columns,
  columnNames,
  columnOf,
  headerText,
  mainColumns,
  moreColumns,
  questionsOf,
  withColumn,
} from './csv-mapping.view.ts';
import { CurrencyField } from './currency-field.tsx';

const PREVIEW_ROWS = 5;
const delimiters = [
  [',', 'Comma'],
  [';', 'Semicolon'],
  ['\t', 'Tab'],
  ['|', 'Bar |'],
] as const;
const decimals = [
  ['.', '1,234.56'],
  [',', '1.234,56'],
] as const;

export interface CsvMappingPanelProps {
  preview: CsvPreview;
  open: readonly Question[];
  /** Chosen by a person or an earlier import; the rest is guessed. */
  mapping: CsvAnswers;
  isRemembered: boolean;
  remembered: CsvAnswers | undefined;
  onChange: (mapping: CsvAnswers) => void;
  onUseRemembered: () => void;
}

interface ColumnSelectProps {
  label: string;
  value: string;
  names: ReadonlyArray<readonly [value: string, label: string]>;
  /** Open: the value is a guess and must be confirmed. */
  question: Question | undefined;
  onChoose: (name: string) => void;
}

const OPEN = '?';

function ColumnSelect({ label, value, names, question, onChoose }: ColumnSelectProps): React.JSX.Element {
  const likely = question?.suggestion;
  return (
    <SelectField
      label={label}
      value={question === undefined ? value : OPEN}
      error={question?.message}
      onChange={({ target }) => onChoose(target.value)}
    >
      {question !== undefined && (
        <option value={OPEN} disabled>
          {likely === undefined || likely === '' ? 'Choose a column' : `Choose a column, such as ${likely}`}
        </option>
      )}
      <option value="">None</option>
      <Options values={names} />
    </SelectField>
  );
}

export function CsvMappingPanel(props: CsvMappingPanelProps): React.JSX.Element {
  const { preview, open, mapping, isRemembered, remembered, onChange, onUseRemembered } = props;
  const { headers } = preview;
  // Reading a large file again takes seconds: what was chosen shows at once.
  const columns = { ...preview.mapping.columns, ...mapping.columns };
  const names = columnNames(headers);
  const set = (part: CsvAnswers): void => onChange({ ...mapping, ...part });
  const select = ([field, label]: readonly [ColumnField, string]) => (
    <ColumnSelect
      key={field}
      label={label}
      value={columnOf(columns, field)}
      names={names}
      question={open.find(({ code, about }) => code === 'column' && about === field)}
      onChoose={(name) => set({ columns: withColumn(mapping.columns ?? {}, field, name) })}
    />
  );
  return (
    <Panel
      title="Columns"
      actions={
        isRemembered ? (
          <Button size="small" onClick={() => onChange({})}>
            Guess again
          </Button>
        ) : (
          remembered && (
            <Button size="small" onClick={onUseRemembered}>
              Use the choices for the last file
            </Button>
          )
        )
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-sm text-muted">
          {isRemembered
            ? 'These are your choices for the last file with the same columns.'
            : remembered
              ? 'Guessed from the column names and the first rows. You made choices for an earlier file with the same columns. Use them if this file is from the same bank.'
              : 'Guessed from the column names and the first rows. Correct what is wrong. This browser remembers your choices.'}
        </p>
        <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-3">{mainColumns.map(select)}</div>
        <Formats preview={preview} open={open} mapping={mapping} onChange={set} />
        <details className="rounded-md border px-3 py-2">
          <summary className="text-sm font-medium">More columns and settings</summary>
          <div className="mt-3 grid grid-cols-2 items-end gap-4 pb-2 lg:grid-cols-3">
            {moreColumns.map(select)}
            <SelectField
              label="Columns are separated by"
              value={mapping.delimiter ?? preview.mapping.delimiter}
              onChange={({ target }) => onChange({ delimiter: target.value })}
            >
              <Options values={delimiters} />
            </SelectField>
            <TextField
              label="Row with the column names"
              type="number"
              min={1}
              value={mapping.header_record ?? preview.mapping.header_record ?? 1}
              onChange={({ target }) =>
                target.validity.valid &&
                target.value !== '' &&
                onChange({
                  ...(mapping.delimiter === undefined ? {} : { delimiter: mapping.delimiter }),
                  header_record: Number(target.value),
                })
              }
            />
          </div>
        </details>
      </div>
      <FirstLines preview={preview} columns={columns} />
    </Panel>
  );
}

function FirstLines({ preview: { headers, rows }, columns }: { preview: CsvPreview; columns: Columns }) {
  return (
    <div className="-mx-5 mt-4 border-t">
      <SimpleTable
        label="First rows of the file"
        rows={rows.slice(0, PREVIEW_ROWS).map((cells, at) => ({ cells, at }))}
        keyOf={({ at }) => String(at)}
        empty={<p className="px-5 pt-4 text-sm">The file has no rows below the column names.</p>}
        columns={headers.map((name, i) => ({
          title: headerText(name, columns) || `Column ${i + 1}`,
          cell: ({ cells }: { cells: readonly string[] }) => cells[i] ?? '',
        }))}
      />
    </div>
  );
}

interface FormatsProps {
  preview: CsvPreview;
  open: readonly Question[];
  mapping: CsvAnswers;
  onChange: (part: CsvAnswers) => void;
}

function Formats({ preview, open, mapping, onChange }: FormatsProps): React.JSX.Element {
  const questions = questionsOf(open);
  const { columns, date_format, decimal, currency, inverted } = { ...preview.mapping, ...mapping };
  return (
    <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-3">
      <SelectField
        label="Date format"
        value={mapping.date_format ?? (questions.date_format === undefined ? (date_format ?? '') : '')}
        error={questions.date_format}
        onChange={({ target }) =>
          onChange(dateFormats.flatMap((format) => (format === target.value ? [{ date_format: format }] : []))[0] ?? {})
        }
      >
        <option value="" disabled>
          Choose a format
        </option>
        <Options values={dateFormats.map((format) => [format, format])} />
      </SelectField>
      <SelectField
        label="Decimal mark"
        value={mapping.decimal ?? (questions.decimal === undefined ? (decimal ?? '') : '')}
        error={questions.decimal}
        onChange={({ target }) => onChange({ decimal: target.value === ',' ? ',' : '.' })}
      >
        <option value="" disabled>
          Choose a mark
        </option>
        <Options values={decimals} />
      </SelectField>
      {!columns.currency && (
        <CurrencyField
          value={currency ?? ''}
          error={questions.currency}
          suggestion={open.find(({ code }) => code === 'currency')?.suggestion}
          hint={mapping.currency === undefined ? undefined : 'The file has no column for it.'}
          onChange={(code) => onChange({ currency: code })}
        />
      )}
      <CheckField
        label="Money out is positive in this file"
        hint="As in card files of American Express and Discover: purchases have no minus, and payments have one."
        className="col-span-2 lg:col-span-3"
        checked={inverted === true}
        onChange={({ target }) => onChange({ inverted: target.checked })}
      />
    </div>
  );
}
