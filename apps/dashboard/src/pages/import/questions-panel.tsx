import type { Question } from '@finhook/bank-files';
import { Options, SelectField, TextField } from '../../components/field.tsx';
import { Panel } from '../../components/page.tsx';
import type { Given } from './import.view.ts';

export interface QuestionsPanelProps {
  questions: readonly Given[];
  onAnswer: (question: Question, value: string) => void;
}

/** Open and answered questions. Each answer can be changed until the file is stored. */
export function QuestionsPanel({ questions, onAnswer }: QuestionsPanelProps): React.JSX.Element | null {
  if (questions.length === 0) return null;
  return (
    <Panel title="Questions">
      <div className="flex flex-col gap-4">
        {questions.map(({ question, value }) => {
          const { code, about = '', message, choices } = question;
          const key = `${code} ${about}`;
          return choices.length > 0 ? (
            <SelectField
              key={key}
              label={message}
              value={value}
              onChange={({ target }) => onAnswer(question, target.value)}
            >
              <option value="">Choose an answer</option>
              <Options
                values={choices.map((choice) => [
                  choice.value,
                  choice.example === undefined ? choice.label : `${choice.label} (${choice.example})`,
                ])}
              />
            </SelectField>
          ) : (
            <TextField
              key={key}
              label={message}
              defaultValue={value}
              placeholder={question.suggestion}
              onBlur={({ target }) => onAnswer(question, target.value.trim())}
            />
          );
        })}
      </div>
    </Panel>
  );
}
