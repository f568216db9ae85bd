import { trimEnd } from '../base/cut-text.ts'

/** Maximum length of a name without its suffix. */
const MAX_LENGTH = 40

/** Converts text to the characters of an API name: `Größe (cm)` is `Grosse_cm`. */
function words(text: string): string[] {
  const plain = text.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
}

/** Truncates a name, without an underscore at its end. */
const cut = (text: string, max: number) => trimEnd(text.slice(0, max), '_')

/** Makes an API name from a label: `First_name` from `First name`; `otherwise` when the text has no letter. */
export function makeApiName(text: string, otherwise: string): string {
  const name = words(text.replace(/__c$/i, '')).join('_')
  if (name === '') return otherwise
  return cut(/^[A-Za-z]/.test(name) ? name : `X${name}`, MAX_LENGTH)
}

/** Makes names unique, ignoring case: the second of two equal names becomes `Name_2`. */
export function makeDistinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let made = name
    for (let at = 2; taken.has(made.toLowerCase()); at++)
      made = `${cut(name, MAX_LENGTH - `_${at}`.length)}_${at}`
    taken.add(made.toLowerCase())
    return made
  })
}

/** Makes `Project Tasks` of `project_tasks`. */
export function makeLabel(name: string): string {
  return name
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .replaceAll(/(^| )\p{Ll}/gu, (letter) => letter.toUpperCase())
}
