/** The end of a member of a manifest, and the beginning of the next one. */
const BETWEEN = /<\/((?:[\w.-]{1,50}:)?)members\s*>\s*<\1members\s*>/g

/** Separates members that stand in one element. */
export const MEMBER_SEPARATOR = '\n'

/**
 * Makes one element of members that stand behind each other: manifests have thousands of them, and parsing as many elements would
 * hold the event loop. What is left is a valid document if the request was.
 */
export function joinMembers(request: Uint8Array): Buffer {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength)
  return Buffer.from(bytes.toString('latin1').replaceAll(BETWEEN, MEMBER_SEPARATOR), 'latin1')
}
