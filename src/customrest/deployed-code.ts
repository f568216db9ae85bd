import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { type JobFile, readJob } from '../scripting/jobs/job-file.ts'
import type { ThreadSettings } from '../scripting/threads/deployed-thread.ts'
import { isModule } from '../scripting/threads/load-module.ts'
import { ThreadPool } from '../scripting/threads/thread-pool.ts'
import { ResourceTable } from './resource-table.ts'
import { readResource } from './resources/resource.ts'

/** The jobs of a deployment by name. */
class JobTable {
  readonly all: readonly JobFile[]

  constructor(jobs: readonly JobFile[]) {
    this.all = jobs
  }

  named(name: string): JobFile | undefined {
    return this.all.find((job) => job.name === name)
  }
}

/** The code of a deployment and the threads that it runs in. */
export interface DeployedCode {
  readonly resources: ResourceTable
  readonly jobs: JobTable
  /** True if there is background work. */
  readonly hasWork: boolean
  /** Threads for requests. */
  readonly pool: ThreadPool
  /** Threads for deliveries and jobs, so that they do not delay requests. */
  readonly workers: ThreadPool
  /** Ends the threads after their last running call. */
  retire(): void
  close(): Promise<void>
}

export interface CodeSettings extends Omit<ThreadSettings, 'files'> {
  readonly threads: number
}

/** Folders of a deployment with code that runs in threads, with the kind of their files. */
const FOLDERS = { resources: 'resource', jobs: 'job' } as const
type Folder = keyof typeof FOLDERS

const folderOf = (deployment: string, folder: Folder) => resolve(deployment, folder)

function filesIn(deployment: string, folder: Folder) {
  const path = folderOf(deployment, folder)
  const names = existsSync(path) ? readdirSync(path).filter(isModule).sort() : []
  return names.map((name) => ({ kind: FOLDERS[folder], file: join(path, name) }))
}

/** The names of a deployment's jobs, for callers that only enqueue them. */
export const jobNames = (deployment: string): ReadonlySet<string> =>
  new Set(filesIn(deployment, 'jobs').map(({ file }) => parse(file).name))

/**
 * Loads the code of a deployment into threads of its own.
 * @returns undefined when it has no code
 * @throws Error with the file, line and problem
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
