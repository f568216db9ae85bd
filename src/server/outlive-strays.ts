import { runningTrigger } from '../automation/triggers/running-trigger.ts'
import type { Observe } from '../base/observation.ts'

/**
 * Observes what fails in this process without anything that waits for it, and lets the process go on: a promise of which nothing
 * depends, or a callback that a trigger has left behind, such as that of a timer. An exception in a callback of the server itself still
 * ends the process, because it may have left its work half done.
 */
export function outliveStrays(observe: Observe): void {
  process.on('unhandledRejection', (error) => observe({ kind: 'stray', error, trigger: runningTrigger() }))
  process.on('uncaughtException', (error) => {
    const trigger = runningTrigger()
    if (trigger !== undefined) {
      observe({ kind: 'stray', error, trigger })
      return
    }
    console.error(error)
    process.exit(1)
  })
}
