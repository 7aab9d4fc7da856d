export function actorName({ id, name }: { id: string; name?: string | null | undefined }): string {
  return name ?? id;
}
