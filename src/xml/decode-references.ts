const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

function decodeReference(name: string): string | undefined {
  const known = NAMED.get(name)
  if (known !== undefined) return known
  const [, hexadecimal, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hexadecimal === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hexadecimal, 16)
  // XML has no such character. Not a number: it is no reference to a character.
  if (
    !(code >= 0x20 || [0x9, 0xa, 0xd].includes(code)) ||
    code > 0x10ffff ||
    (code >= 0xd800 && code < 0xe000)
  )
    return undefined
  return String.fromCodePoint(code)
}

/**
 * Decodes the five predefined entities and references to characters; documents can define no others.
 * @param fail throws
 */
export const decodeReferences = (text: string, fail: (reason: string) => never): string =>
  text.includes('&')
    ? text.replaceAll(
        /&([^;&]{0,10});?/g,
        (_whole, name) => decodeReference(name) ?? fail('it has a reference to what is not defined'),
      )
    : text
