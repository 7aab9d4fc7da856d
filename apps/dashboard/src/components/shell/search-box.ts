/** The looks of the palette, and of what stands in its place while it loads. */
export const searchBox = {
  backdrop: 'fixed inset-0 z-30 bg-black/40',
  popup:
    'fixed inset-x-4 top-[8vh] z-40 mx-auto flex max-h-[84vh] max-w-xl flex-col overflow-hidden rounded-xl border bg-surface shadow-xl',
  input: 'min-h-12 min-w-0 flex-1 bg-transparent px-5 outline-none placeholder:text-muted',
  placeholder: 'Search, or paste an ID',
} as const;
