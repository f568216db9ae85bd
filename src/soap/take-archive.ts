const NAME = 'ZipFile'

/** Bytes that stand before the name in the first tag of the element, and behind it. */
const BEFORE = ['<', ':'].map((one) => one.charCodeAt(0))
const BEHIND = ['>', ' ', '\t', '\r', '\n'].map((one) => one.charCodeAt(0))

/** Returns where the content of the element begins, or -1 if there is no such element. */
function findContent(bytes: Buffer): number {
  for (let at = bytes.indexOf(NAME); at > 0; at = bytes.indexOf(NAME, at + 1)) {
    const isTag = BEFORE.includes(bytes[at - 1]!) && BEHIND.includes(bytes[at + NAME.length] ?? 0)
    if (isTag) return bytes.indexOf('>', at) + 1
  }
  return -1
}

/**
 * Takes the digits of an archive out of a request, so that what is parsed is small: the archive may have tens of megabytes.
 * @returns the request without them; what is left is a valid document if the request was
 */
export function takeArchive(request: Uint8Array): {
  readonly rest: Uint8Array
  readonly archive: Uint8Array | undefined
} {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength)
  const start = findContent(bytes)
  const end = start <= 0 ? -1 : bytes.indexOf('<', start)
  if (end < 0) return { rest: request, archive: undefined }
  return {
    rest: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    archive: bytes.subarray(start, end),
  }
}
