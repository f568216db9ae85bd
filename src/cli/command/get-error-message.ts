import { getSystemErrorMessage } from 'node:util'

/** Failed operation on a file or folder, by the name of the system call. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  open: 'opened',
  read: 'read',
  scandir: 'read',
  mkdir: 'made',
  write: 'written',
}

/** A path that the system refuses, without the system's codes. */
function getFileMessage({ path, syscall, errno }: NodeJS.ErrnoException): string | undefined {
  const attempt = ATTEMPTS[syscall ?? '']
  if (path === undefined || attempt === undefined || errno === undefined) return undefined
  return `${path} cannot be ${attempt}: ${getSystemErrorMessage(errno)}`
}

/** Returns the message for the terminal of anything that was thrown. */
export function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A name that stands for several addresses gives an error for each, and none of its own.
  if (error.message === '' && error instanceof AggregateError)
    return error.errors.map(getErrorMessage).join('; ')
  return getFileMessage(error) ?? error.message
}
