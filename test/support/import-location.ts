import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config/config.ts'
import { deploySchema } from '../../src/schema/change/deploy.ts'
import type { ObjectDefinition } from '../../src/schema/definitions/definition.ts'
import { start } from '../../src/server/main.ts'
import { loadOrgs } from '../../src/storage/orgs/orgs.ts'
import type { Said } from './command-process.ts'
import { onPostgres } from './engine.ts'
import { makeOwnDatabase } from './own-database.ts'
import { runCommand } from './run-command.ts'
import type { Variables } from './server-process.ts'
import { copyDataFolder } from './template.ts'

/** An org that the command line reaches, and a folder for the files that go in and come out. */
export interface ImportLocation {
  /** Settings that name the org. */
  readonly variables: Variables
  /** Runs `objectry` with these words. */
  run(args: readonly string[], input?: string): Promise<Said>
  /** Writes a file and gives its path. */
  write(name: string, text: string | Uint8Array): string
  path(name: string): string
  read(name: string): string
  /** Returns the result of a query, one text for each record. */
  values(soql: string): Promise<string[]>
  remove(): Promise<void>
}

const KEY = {
  name: 'Key__c',
  label: 'Key',
  type: 'string',
  length: 40,
  externalId: true,
  unique: true,
} as const

const MAIN = {
  name: 'Main__c',
  label: 'Main Contact',
  type: 'reference',
  to: ['Contact'],
  relationship: 'Main__r',
} as const

/** Gives accounts a key of their own, and two record types of one label. */
const withKeys = (account: ObjectDefinition): ObjectDefinition => ({
  ...account,
  fields: [...account.fields, KEY, MAIN],
  recordTypes: [
    { name: 'Partner', label: 'Company' },
    { name: 'Customer', label: 'Company' },
    { name: 'Former', label: 'Former', inactive: true },
  ],
})

/**
 * A new org. On PostgreSQL the commands open its database, on the embedded engine they ask the server that holds its
 * data folder.
 */
export async function openImportLocation(name: string): Promise<ImportLocation> {
  const folder = mkdtempSync(join(tmpdir(), 'objectry-import-'))
  const database = onPostgres ? await makeOwnDatabase(process.env.TEST_DATABASE_URL!, name) : undefined
  const data = join(folder, 'data')
  copyDataFolder(data)
  const flags = { data, databaseUrl: database?.url, port: '0', logLevel: 'silent', poolSize: '2' }
  const server = await start(readConfig({}, flags))
  const [org] = await loadOrgs(server.engine.db)
  await deploySchema(server.engine.db, org!, {
    objects: (known) => known.filter(({ name }) => name === 'Account').map(withKeys),
    mode: 'keep',
  })
  const variables: Variables =
    database === undefined ? { OBJECTRY_DATA: data } : { DATABASE_URL: database.url }
  const path = (file: string) => join(folder, file)
  const run: ImportLocation['run'] = (args, input) => runCommand(args, variables, input)
  return {
    variables,
    run,
    path,
    write(file, text) {
      writeFileSync(path(file), text)
      return path(file)
    },
    read: (file) => readFileSync(path(file), 'utf8'),
    async values(soql) {
      const { code, out, error } = await run(['query', soql, '--format', 'csv'])
      if (code !== 0) throw new Error(error)
      return out.trimEnd().split('\r\n').slice(1)
    },
    async remove() {
      await server.stop()
      await database?.drop()
      rmSync(folder, { recursive: true })
    },
  }
}
