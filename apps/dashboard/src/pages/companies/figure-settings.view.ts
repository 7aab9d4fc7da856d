/** Splits a field into lines and keeps spaces: connection ids are compared byte by byte. */
export function idsIn(data: FormData, name: string): string[] {
  const value = data.get(name);
  return typeof value === 'string' ? value.split(/\r?\n/).filter(Boolean) : [];
}

export function categoriesIn(data: FormData, name: string): string[] {
  return idsIn(data, name)
    .map((line) => line.trim())
    .filter(Boolean);
}
