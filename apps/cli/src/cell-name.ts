export const cellNameRule = 'at most 12 lower-case letters and digits, a letter first';

export const isCellName = (text: string): boolean => /^[a-z][a-z0-9]{0,11}$/.test(text);
