const NAME = 'ZipFile>'

/**
 * Takes the digits of an archive out of a request, so that what is parsed is small: the archive may have tens of megabytes.
 * @returns the request without them; what is left is a valid document if the request was
 */
export function takeArchive(request: Uint8Array): {
  readonly rest: Uint8Array
  readonly archive: Uint8Array | undefined
} {
  const bytes = Buffer.from(request.buffer, request.byteOffset, request.byteLength)
  const name = bytes.indexOf(NAME)
  const start = name + NAME.length
  const end = name < 0 ? -1 : bytes.indexOf('<', start)
  if (end < 0) return { rest: request, archive: undefined }
  return {
    rest: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
    archive: bytes.subarray(start, end),
  }
}
