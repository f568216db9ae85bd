import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { readJob } from '../scripting/jobs/job-file.ts'
import { JobTable } from '../scripting/jobs/job-table.ts'
import type { ThreadSettings } from '../scripting/threads/deployed-thread.ts'
import { isModule } from '../scripting/threads/load-module.ts'
import { ThreadPool } from '../scripting/threads/thread-pool.ts'
import { ResourceTable } from './resource-table.ts'
import { readResource } from './resources/resource.ts'

/** What a deployment's own code offers, and the threads that it runs in. */
export interface DeployedCode {
  readonly resources: ResourceTable
  readonly jobs: JobTable
  /** Whether there is anything that nobody waits for. */
  readonly hasWork: boolean
  /** For requests, which somebody waits for. */
  readonly pool: ThreadPool
  /** For deliveries and jobs: what they do is no burden on requests. */
  readonly workers: ThreadPool
  /** Ends the threads when the last call in them is done. */
  retire(): void
  close(): Promise<void>
}

export interface CodeSettings extends Omit<ThreadSettings, 'files'> {
  readonly threads: number
}

/** Folders of a deployment with code that runs in threads, and what a file in them is. */
const FOLDERS = { resources: 'resource', jobs: 'job' } as const
type Folder = keyof typeof FOLDERS

const folderOf = (deployment: string, folder: Folder) => resolve(deployment, folder)

function filesIn(deployment: string, folder: Folder) {
  const path = folderOf(deployment, folder)
  const names = existsSync(path) ? readdirSync(path).filter(isModule).sort() : []
  return names.map((name) => ({ kind: FOLDERS[folder], file: join(path, name) }))
}

/** The names of a deployment's jobs, for those who only enqueue them. */
export const jobNames = (deployment: string): ReadonlySet<string> =>
  new Set(filesIn(deployment, 'jobs').map(({ file }) => parse(file).name))

/**
 * Loads the code of a deployment into threads of its own.
 * @returns undefined: it has none
 * @throws Error that names the file and line of what is wrong
 */
export async function loadCode(
  deployment: string,
  { threads, ...settings }: CodeSettings,
): Promise<DeployedCode | undefined> {
  const files = [...filesIn(deployment, 'resources'), ...filesIn(deployment, 'jobs')]
  if (files.length === 0) return undefined
  const [pool, workers] = [
    new ThreadPool(threads, { ...settings, files }),
    new ThreadPool(threads, { ...settings, files }),
  ]
  const close = async () => {
    await Promise.all([pool.close(), workers.close()])
  }
  try {
    const [modules] = await Promise.all([pool.loaded(), workers.loaded()])
    const of = (folder: Folder) =>
      modules.filter(({ file }) => dirname(file) === folderOf(deployment, folder))
    const resources = new ResourceTable(of('resources').map(readResource))
    const jobs = new JobTable(of('jobs').map(readJob))
    return {
      ...{ resources, jobs, pool, workers, close },
      hasWork: jobs.all.length > 0 || resources.all.some(({ webhook }) => webhook !== undefined),
      retire() {
        pool.retire()
        workers.retire()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
