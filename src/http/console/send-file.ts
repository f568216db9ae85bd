import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BuiltFiles } from './built-files.ts'

/** Names of files here have a hash of what is in them. */
export const ASSETS = 'assets/'

/**
 * Answers with a built file, or that there is none.
 * @param name its path below the folder
 * @param headers what goes with the file
 */
export async function sendFile(
  request: FastifyRequest,
  response: FastifyReply,
  files: BuiltFiles,
  name: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const file = files.find(name, String(request.headers['accept-encoding'] ?? ''))
  if (file === undefined) return void response.callNotFound()
  const { type, bytes, encoding, isPacked } = file
  response.headers({
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...headers,
  })
  if (isPacked) response.header('Vary', 'Accept-Encoding')
  if (encoding !== undefined) response.header('Content-Encoding', encoding)
  await response.send(bytes)
}
