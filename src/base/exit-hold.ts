/** Number of operations in progress that must not be interrupted. The watchdog thread reads it while this thread is blocked. */
export const heldWork = new Int32Array(new SharedArrayBuffer(4))

/** Runs work during which the watchdog never ends the process: deployments, restores, copies of orgs, migrations. */
export async function holdExit<T>(work: () => Promise<T> | T): Promise<T> {
  Atomics.add(heldWork, 0, 1)
  try {
    return await work()
  } finally {
    Atomics.sub(heldWork, 0, 1)
  }
}
