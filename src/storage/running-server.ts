import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** How to reach the server that runs on a data folder, as its administrator. */
export interface RunningServer {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  /** Opens the data until that server ends. */
  readonly token: string
}

const fileOf = (data: string) => `${data}/server.json`

/**
 * Leaves a note in the data folder, so that commands on this machine find the server that holds it. The token is for
 * the folder's owner alone: nobody else may read the file.
 * @returns the function that takes the note away
 */
export function announceServer(data: string, server: RunningServer): () => void {
  const file = fileOf(data)
  const draft = `${file}.${process.pid}`
  rmSync(draft, { force: true })
  // `wx` follows no link and takes no file whose rights are others'; the renaming is seen whole or not at all.
  writeFileSync(draft, `${JSON.stringify(server, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(draft, file)
  return () => rmSync(file, { force: true })
}

/** The note that a server left. It may be dead: a killed one takes nothing away. Undefined: there is none. */
export function findAnnouncedServer(data: string): RunningServer | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(data), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
