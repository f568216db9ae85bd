import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Files that code is loaded from. */
const CODE = /\.(ts|mts|js|mjs|json)$/

/** Interval of looking where the system does not tell of changes, in milliseconds. */
const LOOK_MS = 1000

/** Folders with many files that nobody edits. */
const isSkipped = (name: string) => name === 'node_modules' || name.startsWith('.')

function listFolders(folder: string): string[] {
  const inside = readdirSync(folder, { withFileTypes: true })
  const below = inside.filter((entry) => entry.isDirectory() && !isSkipped(entry.name))
  return [folder, ...below.flatMap(({ name }) => listFolders(join(folder, name)))]
}

/** A text that is another one when a file was added, changed or removed. */
function describeFiles(folder: string): string {
  return listFolders(folder)
    .flatMap((one) => readdirSync(one).map((name) => join(one, name)))
    .filter((file) => CODE.test(file))
    .map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`)
    .join('\n')
}

/**
 * Watches the files below a folder. Each folder is watched by itself: Node's own way says nothing when the system has no watches
 * left. Then it looks every second.
 * @param changed called when a file with code was added, changed or removed
 * @param report called once, when it has to look
 * @returns a function that ends it
 */
export function watchFolder(
  folder: string,
  changed: () => void,
  report: (message: string) => void,
): () => void {
  const watchers = new Map<string, FSWatcher>()
  let looking: NodeJS.Timeout | undefined
  let isOver = false

  const stopWatching = () => {
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }

  const look = (reason: Error) => {
    if (isOver || looking !== undefined) return
    stopWatching()
    report(
      `The system does not tell of changes in ${folder} (${reason.message}), so it is looked for them every second. On Linux, fs.inotify.max_user_watches and fs.inotify.max_user_instances say how much can be watched`,
    )
    let known = ''
    const compare = () => {
      try {
        const now = describeFiles(folder)
        if (known !== '' && now !== known) changed()
        known = now
      } catch {
        // A folder went while it was read: the next look is soon.
      }
    }
    compare()
    looking = setInterval(compare, LOOK_MS).unref()
  }

  /** @returns whether there were folders that were not watched yet */
  const watchFolders = (): boolean => {
    const folders = listFolders(folder)
    for (const [path, watcher] of watchers) {
      if (folders.includes(path)) continue
      watcher.close()
      watchers.delete(path)
    }
    const added = folders.filter((path) => !watchers.has(path))
    for (const path of added) {
      const watcher = watch(path, { persistent: false }, (event, name) => see(event, name))
      watcher.on('error', look)
      watchers.set(path, watcher)
    }
    return added.length > 0
  }

  const see = (event: string, name: string | null) => {
    try {
      // Files that came with a new folder were not seen.
      const isNew = event === 'rename' && watchFolders()
      if (isNew || (name !== null && CODE.test(name))) changed()
    } catch (error) {
      look(error as Error)
    }
  }

  try {
    watchFolders()
  } catch (error) {
    look(error as Error)
  }
  return () => {
    isOver = true
    clearInterval(looking)
    stopWatching()
  }
}
