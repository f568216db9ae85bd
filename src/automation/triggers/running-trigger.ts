import { AsyncLocalStorage } from 'node:async_hooks'
import type { TriggerModule } from '../modules/trigger-module.ts'

const running = new AsyncLocalStorage<string>()

/** Calls a trigger so that whatever it starts, such as a timer, is known to be its own. */
export const runAs = <T>({ name }: TriggerModule, work: () => T): T => running.run(name, work)

/** Returns the name of the trigger that has started what runs now; undefined if none has. */
export const runningTrigger = (): string | undefined => running.getStore()
