import { useState } from 'react';

/** The text once it differs from what it was at first: a figure is announced when it changes, not when the page opens. */
export function useChangeSaid(text: string): string {
  const [state, setState] = useState({ text, changed: false });
  if (state.text === text) return state.changed ? text : '';
  setState({ text, changed: true });
  return text;
}
