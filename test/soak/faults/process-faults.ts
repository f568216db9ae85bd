import type { Fault } from './fault.ts'
import type { Site } from './site.ts'

/** SIGKILL, and a new start. */
export const kill = (site: Site): Fault => ({
  name: 'kill',
  stopsProcess: true,
  begin: async () => void (await site.server.end('SIGKILL')),
  end: () => site.start(),
})

/** The process stands still, as in a suspended container. */
export const freeze = (site: Site): Fault => ({
  name: 'freeze',
  stopsProcess: true,
  begin: async () => void site.server.child.kill('SIGSTOP'),
  end: async () => void site.server.child.kill('SIGCONT'),
})
