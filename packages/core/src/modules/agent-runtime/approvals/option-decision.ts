import type { ApprovalChoice } from '@finhook/contracts';

const denials = ['deny', 'denied', 'reject', 'rejected', 'decline', 'refuse', 'no'];
const denialStart =
  /^(?:(?:deny|reject|decline|refuse|never|don't|do\s+not)(?![\p{L}\p{N}_])|no\s*[,.\p{Pd}]|no\s+thanks(?![\p{L}\p{N}_]))/u;

/** The decision of an option that names none, from its text. */
export function decisionOfText(option: string): ApprovalChoice {
  const text = option.toLowerCase().replaceAll('’', "'").trim();
  return denials.includes(text) || denialStart.test(text) ? 'deny' : 'approve';
}
