import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something is so; the bound of a file ends what never comes. */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await sleep(10)
  }
}
