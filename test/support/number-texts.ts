type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/** Parses JSON with each number as its text. */
export const parseWithTexts = (text: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  (JSON.parse as (text: string, reviver: Reviver) => any)(text, (_name, value, { source }) =>
    typeof value === 'number' ? source : value,
  )
