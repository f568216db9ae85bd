/** Characters that names of files have on every system. Others are written as `%2F`. */
const ODD = /[^\p{L}\p{N} _().-]|^\.|[ .]$/gu

const escapeCharacter = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** The name of the file of a definition, without its suffix: `Sales%2FEurope` of `Sales/Europe`. */
export const makeFileName = (name: string): string => name.replaceAll(ODD, escapeCharacter)

/** The name of a definition from that of its file. */
export function readFileName(fileName: string): string {
  try {
    return decodeURIComponent(fileName)
  } catch {
    return fileName
  }
}
