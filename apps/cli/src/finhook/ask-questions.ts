import { type Answers, answerQuestion, type CsvPreview, type Question } from '@finhook/bank-files';
import { plain } from '../clean-text.ts';
import { ask } from '../terminal.ts';
import { Failure, usageFailure } from './failure.ts';
import type { Session } from './session.ts';

/** A number chooses, Enter takes the suggestion; anything else ends the command. */
export async function askQuestions(
  questions: readonly Question[],
  given: Answers,
  { output, signal }: Session,
): Promise<Answers> {
  let answers = given;
  for (const question of questions) {
    const { message, choices, suggestion } = question;
    output.say(message);
    for (const [i, { label, example }] of choices.entries())
      output.say(`  ${i + 1}  ${label}${example === undefined ? '' : ` (${example})`}`);
    const offered = choices.find(({ value }) => value === suggestion)?.label ?? suggestion;
    const prompt = choices.length > 0 ? 'Number' : 'Answer';
    const answer = await ask(`${prompt}${offered === undefined ? '' : ` [${offered}]`}:`, signal);
    const value = answer === '' ? suggestion : choices.length > 0 ? choices[Number(answer) - 1]?.value : answer;
    if (value === undefined) throw new Failure('Nothing was stored.');
    answers = answerQuestion(answers, question, value);
  }
  return answers;
}

export function openQuestions(questions: readonly Question[], csv: CsvPreview | null): Failure {
  const lines = questions.map(({ message, choices, flag }) => {
    const values =
      choices.length > 0 && choices.length <= 8 ? ` ${choices.map(({ value }) => value).join(' or ')}` : '';
    return `  ${plain(message)}${plain(values)}  (${flag})`;
  });
  const sample = csv === null ? [] : ['Its first lines:', ...[csv.headers, ...csv.rows.slice(0, 2)].map(rowLine)];
  return usageFailure(['The file leaves open how it is to be read:', ...lines, ...sample].join('\n'));
}

function rowLine(cells: readonly string[]): string {
  return `  ${plain(cells.join(' | '))}`;
}
