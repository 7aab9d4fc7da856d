import { useState } from 'react';

function read(key: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** A set of names that this browser remembers. */
export function useStoredNames(key: string): [names: ReadonlySet<string>, toggle: (name: string) => void] {
  const [names, setNames] = useState<ReadonlySet<string>>(() => new Set(read(key)));
  return [
    names,
    (name) => {
      const next = new Set(names);
      if (!next.delete(name)) next.add(name);
      localStorage.setItem(key, JSON.stringify([...next]));
      setNames(next);
    },
  ];
}
