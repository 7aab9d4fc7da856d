/** The lines of a field as they were typed, spaces included: ids of connections are compared byte by byte. */
export function idsIn(data: FormData, name: string): string[] {
  const value = data.get(name);
  return typeof value === 'string' ? value.split(/\r?\n/).filter(Boolean) : [];
}

/** The lines of a field without the spaces around them: categories are compared by their words. */
export function categoriesIn(data: FormData, name: string): string[] {
  return idsIn(data, name)
    .map((line) => line.trim())
    .filter(Boolean);
}
