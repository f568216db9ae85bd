import type { Engine } from './database/db.ts'
import { isDatabaseFolder } from './embedded/database-folder.ts'

interface EngineSettings {
  /** PostgreSQL if given, else the embedded engine. */
  readonly databaseUrl: string | undefined
  readonly poolSize: number
  readonly statementSeconds?: number
  readonly connectionSeconds?: number
  readonly lockSeconds?: number
  /** Folder of the embedded engine; `memory` for no files. */
  readonly data: string
}

/** Folder of the database in the data folder; undefined if it is in memory. */
export const databaseFolder = (data: string) => (data === 'memory' ? undefined : `${data}/database`)

/** True if the data folder has a database. Opening the engine would create one. */
export function hasDatabase(data: string): boolean {
  const folder = databaseFolder(data)
  return folder !== undefined && isDatabaseFolder(folder)
}

/**
 * Opens the engine that the settings select. Only its driver is loaded.
 * @param report called when the embedded database was ended and reopened
 */
export async function openEngine(
  settings: EngineSettings,
  report?: (message: string) => void,
): Promise<Engine> {
  if (settings.databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(settings.databaseUrl, settings)
  }
  const { openPglite } = await import('./embedded/pglite.ts')
  return openPglite(databaseFolder(settings.data), { ...settings, report })
}
