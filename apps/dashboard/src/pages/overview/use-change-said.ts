import { useState } from 'react';

export function useChangeSaid(text: string): string {
  const [state, setState] = useState({ text, changed: false });
  if (state.text === text) return state.changed ? text : '';
  setState({ text, changed: true });
  return text;
}
