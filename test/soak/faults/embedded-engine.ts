import { join } from 'node:path'
import { makeDataFolder } from '../../support/server-process.ts'
import type { Bounds } from './bounds.ts'
import { heavyCalls } from './heavy-calls.ts'
import type { FaultyEngine } from './postgres-engine.ts'
import { freeze, kill } from './process-faults.ts'
import { Site } from './site.ts'
import { diskFull, mountSmallDisk } from './small-disk.ts'

export async function openEmbeddedEngine(bounds: Bounds): Promise<FaultyEngine> {
  const disk = mountSmallDisk()
  const folder = makeDataFolder()
  const data = typeof disk === 'string' ? folder.data : join(disk.folder, 'data')
  const site = await Site.open({ OBJECTRY_DATA: data }, bounds)
  return {
    site,
    faults: [
      kill(site),
      freeze(site),
      heavyCalls(site.tenants),
      typeof disk === 'string' ? { name: 'disk-full', skip: disk } : diskFull(disk),
    ],
    async close() {
      await site.close()
      if (typeof disk !== 'string') disk.remove()
      folder.remove()
    },
  }
}
