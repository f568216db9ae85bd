/** The items of a parameter that is a list: `ids=001...,001...`. */
export const idsIn = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.split(',').map((item) => item.trim())
