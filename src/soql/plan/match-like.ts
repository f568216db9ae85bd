/** The characters of a pattern between two `%`; undefined for `_`. */
type Segment = readonly (string | undefined)[]

/** A character as compared: in upper case, unless that has more than one character. */
function foldCharacter(character: string): string {
  const upper = character.toUpperCase()
  const code = upper.codePointAt(0)!
  return upper.length === (code > 0xffff ? 2 : 1) ? upper : character
}

/** The characters of a text as LIKE compares them: case-insensitively. */
export const foldCharacters = (text: string): readonly string[] => Array.from(text, foldCharacter)

/** Splits a pattern at its unescaped `%`; a backslash escapes the next character. */
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
 * Compiles the pattern of LIKE to a case-insensitive test of texts (see `foldCharacters`), with the database's result.
 *
 * Each part between two `%` matches at its first occurrence without backtracking, so a test takes at most the length of
 * the text times that of the longest part. A regular expression could backtrack exponentially.
 */
export function compileLike(pattern: string): (characters: readonly string[]) => boolean {
  const [first, ...others] = splitAtPercent(pattern) as [Segment, ...Segment[]]
  const last = others.pop()
  const inner = others.filter((segment) => segment.length > 0)
  const minLength = inner.reduce((sum, { length }) => sum + length, first.length + (last?.length ?? 0))
  return (characters) => {
    if (characters.length < minLength || !isAt(first, characters, 0)) return false
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
