/** A part of a pattern between two `%`: what each of its characters has to be, or undefined for `_`. */
type Segment = readonly (string | undefined)[]

/** A character in the form in which it is compared. One that has no upper-case form of one character stays. */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  const code = upper.codePointAt(0)!
  return upper.length === (code > 0xffff ? 2 : 1) ? upper : character
}

/** The characters of a text as a pattern compares them: without case. */
export const foldCharacters = (text: string): readonly string[] => Array.from(text, foldCharacter)

/** `\` takes the next character as it is. */
function splitAtPercent(pattern: string): readonly Segment[] {
  let current: (string | undefined)[] = []
  const segments: Segment[] = [current]
  let escaped = false
  for (const character of pattern) {
    if (escaped) current.push(foldCharacter(character))
    else if (character === '%') {
      current = []
      segments.push(current)
    } else if (character !== '\\') current.push(character === '_' ? undefined : foldCharacter(character))
    escaped = !escaped && character === '\\'
  }
  return segments
}

function isAt(segment: Segment, characters: readonly string[], at: number): boolean {
  for (let i = 0; i < segment.length; i++) {
    if (segment[i] !== undefined && segment[i] !== characters[at + i]) return false
  }
  return true
}

/**
 * The pattern of LIKE as a test of texts (see `foldCharacters`), without case, as the database does it.
 *
 * Each part between two `%` is taken where it is found first and never looked for again, so a test takes no more steps
 * than the lengths of the text and of its longest part allow, whatever the pattern. A regular expression would try all
 * ways to spread the text over the `%`.
 */
export function compileLike(pattern: string): (characters: readonly string[]) => boolean {
  const [first, ...others] = splitAtPercent(pattern) as [Segment, ...Segment[]]
  const last = others.pop()
  const inner = others.filter((segment) => segment.length > 0)
  const least = inner.reduce((sum, { length }) => sum + length, first.length + (last?.length ?? 0))
  return (characters) => {
    if (characters.length < least || !isAt(first, characters, 0)) return false
    if (last === undefined) return characters.length === first.length
    const end = characters.length - last.length
    let at = first.length
    for (const segment of inner) {
      while (at + segment.length <= end && !isAt(segment, characters, at)) at++
      at += segment.length
      if (at > end) return false
    }
    return isAt(last, characters, end)
  }
}
