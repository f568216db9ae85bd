import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** How to reach the server that runs on a data folder, as its administrator. */
export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  /** An access token that is valid until the server ends. */
  readonly token: string
}

const fileOf = (data: string) => `${data}/server.json`

/**
 * Writes a file to the data folder that tells commands on this machine how to reach the server. It contains a token, so
 * only the folder's owner may read it.
 * @returns a function that removes the file
 */
export function announceServer(data: string, server: RunningServer): () => void {
  const file = fileOf(data)
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  // `wx` follows no link and reuses no file with other permissions; renaming makes the file appear complete.
  writeFileSync(draft, `${JSON.stringify(server, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(draft, file)
  return () => rmSync(file, { force: true })
}

/** The file that a server wrote; undefined if there is none. It may be stale: a killed server does not remove it. */
export function findAnnouncedServer(data: string): RunningServer | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(data), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
