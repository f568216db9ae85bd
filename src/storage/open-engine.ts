import type { Engine } from './db.ts'

interface EngineSettings {
  /** PostgreSQL when given, else the embedded engine. */
  readonly databaseUrl: string | undefined
  readonly poolSize: number
  readonly statementSeconds?: number
  /** Folder of the embedded engine; `memory` keeps nothing. */
  readonly data: string
}

/** Opens the engine that the settings name. Only that one's driver is loaded. */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  if (settings.databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(settings.databaseUrl, settings.poolSize, settings.statementSeconds)
  }
  const { openPglite } = await import('./pglite.ts')
  return openPglite(settings.data === 'memory' ? undefined : `${settings.data}/database`)
}
