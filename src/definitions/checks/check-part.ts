import type { Problem } from './problem.ts'

/** Maximum number of values in a field, a value set, or the rest of an object file. */
const MAX_PART_VALUES = 10_000

/** Finds texts that PostgreSQL cannot store. */
export function checkText(text: string, path: Problem['path']): Problem[] {
  const isText = !text.includes('\0') && text.isWellFormed()
  return isText ? [] : [{ path, message: 'has a character that is none' }]
}

/** Checks the texts of a part of the definitions, and how many values it has: what it is checked for takes longer the more there are. */
function checkTexts(
  part: unknown,
  at: Problem['path'],
): { readonly problems: Problem[]; readonly isTooLarge: boolean } {
  let count = 0
  const look = (value: unknown, path: Problem['path']): Problem[] => {
    if (++count > MAX_PART_VALUES) return []
    if (typeof value === 'string') return checkText(value, path)
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, member]) => [
      ...checkText(name, path),
      ...look(member, [...path, name]),
    ])
  }
  const problems = look(part, at)
  const isTooLarge = count > MAX_PART_VALUES
  const message = `has more than ${MAX_PART_VALUES} values`
  return { problems: isTooLarge ? [{ path: at, message }] : problems, isTooLarge }
}

/** @param check finds the other problems of a part that is not too large */
export function checkPart(part: unknown, at: Problem['path'], check: () => Problem[]): Problem[] {
  const { problems, isTooLarge } = checkTexts(part, at)
  return isTooLarge ? problems : [...problems, ...check()]
}
