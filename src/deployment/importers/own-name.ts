import { trimEndOf } from '../../base/trim-end-of.ts'

/** Longest name before its ending. */
const MAX_LENGTH = 40

/** The words of a text as they may stand in a name: `Größe (cm)` is `Grosse_cm`. */
function words(text: string): string[] {
  const plain = text.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
}

/** The start of a text, without what a name may not end with. */
const cut = (text: string, max: number) => trimEndOf(text.slice(0, max), '_')

/** `First name` is `First_name`: a name made of a text that people wrote; `otherwise` when the text has no letter. */
export function ownName(text: string, otherwise: string): string {
  const name = words(text.replace(/__c$/i, '')).join('_')
  if (name === '') return otherwise
  return cut(/^[A-Za-z]/.test(name) ? name : `X${name}`, MAX_LENGTH)
}

/** Names that differ: the second of two that are alike is `Name_2`. Case makes no difference. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let made = name
    for (let at = 2; taken.has(made.toLowerCase()); at++)
      made = `${cut(name, MAX_LENGTH - `_${at}`.length)}_${at}`
    taken.add(made.toLowerCase())
    return made
  })
}

/** `project_tasks` reads `Project Tasks`. */
export function labelOfName(name: string): string {
  return name
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
    .replaceAll(/(^| )\p{Ll}/gu, (letter) => letter.toUpperCase())
}
