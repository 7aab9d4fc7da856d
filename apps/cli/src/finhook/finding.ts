export interface Finding {
  result: 'ok' | 'warning' | 'failed';
  text: string;
}

export interface Check {
  name: string;
  run: () => Promise<Finding>;
}

export const ok = (text: string): Finding => ({ result: 'ok', text });
export const warning = (text: string): Finding => ({ result: 'warning', text });
export const failed = (text: string): Finding => ({ result: 'failed', text });
