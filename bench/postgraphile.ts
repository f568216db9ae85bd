import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Org } from '../src/storage/orgs/org.ts'
import { type BenchServer, startServer } from './server.ts'

/*
 * PostGraphile over the tables of an org. It is 190 packages, so it is no dependency of ours: it is installed
 * outside the repository when it is missing, and stays there.
 */
const VERSION = '5.1.5'
const folder = join(tmpdir(), `objectry-postgraphile-${VERSION}`)

function installedVersion(): string | undefined {
  const file = join(folder, 'node_modules/postgraphile/package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}

function install(): void {
  console.error(`Installing postgraphile ${VERSION} into ${folder}: about 190 packages`)
  mkdirSync(folder, { recursive: true })
  // The npm that runs this script, on the Node that runs it; else the one in the path.
  const npm = process.env.npm_execpath
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]]
  const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync(command, [...first, ...args, `postgraphile@${VERSION}`, 'graphql@16'], {
    cwd: folder,
    // Standard output is for the table.
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm ended with ${status}`)
}

export function startPostgraphile(databaseUrl: string, org: Org): Promise<BenchServer> {
  if (installedVersion() !== VERSION) install()
  return startServer('bench/postgraphile-server.ts', [], {
    NODE_ENV: 'production',
    GRAPHILE_ENV: 'production',
    POSTGRAPHILE_FOLDER: folder,
    POSTGRAPHILE_DATABASE_URL: databaseUrl,
    POSTGRAPHILE_SCHEMA: org.schemaName,
  })
}
