import { after } from 'node:test'

type Task = () => Promise<void> | void

let ofFile: Task[] = []
const ofProcess: Task[] = []

/** Has something closed when the test file that is running has ended. The last registered is closed first. */
export function afterFile(task: Task): void {
  ofFile.push(task)
}

/** Has something closed when this process has run its last test file. */
export function afterLastFile(task: Task): void {
  ofProcess.push(task)
}

/** Closes what the test file that has just ended left open. */
export async function closeFile(): Promise<void> {
  const due = ofFile.reverse()
  ofFile = []
  for (const task of due) await task()
}

export async function closeProcess(): Promise<void> {
  for (const task of ofProcess.splice(0).reverse()) await task()
}

// `node --test <file>` works too, without the workers of `npm test`.
if (process.send === undefined) {
  after(async () => {
    await closeFile()
    await closeProcess()
  })
}
