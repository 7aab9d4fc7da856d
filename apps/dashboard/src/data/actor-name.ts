/** What people call who did something: the id where no name is known. */
export function actorName({ id, name }: { id: string; name?: string | null | undefined }): string {
  return name ?? id;
}
