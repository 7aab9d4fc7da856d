const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 26;

/** Ids that count up: `next('evt')` is `evt_` and 26 base32 digits, ascending over all prefixes, the same in each run. */
export function createTestIds(start = 1): (prefix: string) => string {
  let count = start - 1;
  return (prefix) => {
    count += 1;
    let rest = count;
    let text = '';
    while (rest > 0) {
      text = digits.charAt(rest % digits.length) + text;
      rest = Math.floor(rest / digits.length);
    }
    return `${prefix}_${text.padStart(length, '0')}`;
  };
}
