import type { Engine } from './database/db.ts'
import { isDatabaseFolder } from './embedded/database-folder.ts'

interface EngineSettings {
  /** PostgreSQL when given, else the embedded engine. */
  readonly databaseUrl: string | undefined
  readonly poolSize: number
  readonly statementSeconds?: number
  readonly connectionSeconds?: number
  readonly lockSeconds?: number
  /** Folder of the embedded engine; `memory` keeps nothing. */
  readonly data: string
}

/** Folder of the database in the data folder; undefined: it is kept in memory. */
export const databaseFolder = (data: string) => (data === 'memory' ? undefined : `${data}/database`)

/** Whether the data folder has a database. Opening the engine would make one. */
export function hasDatabase(data: string): boolean {
  const folder = databaseFolder(data)
  return folder !== undefined && isDatabaseFolder(folder)
}

/**
 * Opens the engine that the settings name. Only that one's driver is loaded.
 * @param report is told when the embedded database was ended and opened again
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
