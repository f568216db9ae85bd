import type { JobFile } from './job-file.ts'

/** The jobs of a deployment by name. */
export class JobTable {
  readonly all: readonly JobFile[]

  constructor(jobs: readonly JobFile[]) {
    this.all = jobs
  }

  named(name: string): JobFile | undefined {
    return this.all.find((job) => job.name === name)
  }
}
