/** The results of `count` calls that are made at the same moment, and the errors of those that were rejected. */
export async function atOnce<T>(
  count: number,
  call: (index: number) => Promise<T>,
): Promise<{ results: T[]; errors: unknown[] }> {
  const settled = await Promise.allSettled(Array.from({ length: count }, (_, index) => call(index)));
  return {
    results: settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    errors: settled.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : [])),
  };
}
