import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import { lockDataFolder } from '../../storage/embedded/data-folder-lock.ts'
import { databaseFolder, hasDatabase } from '../../storage/open-engine.ts'
import { findAnnouncedServer } from '../../storage/running-server.ts'
import { getErrorMessage } from '../command/get-error-message.ts'
import { countText } from '../result/terminal-text.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const MEGABYTE = 1024 * 1024

/** Less free space than this is worth a word; with less than that a database soon stops. */
const ENOUGH_MB = 1024
const LEAST_MB = 200

/** How long a server that runs may take to answer, in milliseconds. */
const SERVER_TIMEOUT_MS = 3000

/** The folder, or the nearest one above it that is there. */
function existing(folder: string): string {
  const path = resolve(folder)
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}

/** The address of the server that runs on the data folder, if it answers. */
export async function findServer({ data }: Config): Promise<string | undefined> {
  try {
    const announced = data === 'memory' ? undefined : findAnnouncedServer(data)
    if (announced === undefined) return undefined
    const { address } = announced
    const { ok: isWell } = await fetch(`${address}/healthz`, {
      signal: AbortSignal.timeout(SERVER_TIMEOUT_MS),
    })
    return isWell ? address : undefined
  } catch {
    // A folder that cannot be read, and a server that was killed: the checks of the folder tell.
    return undefined
  }
}

function checkHolder(data: string, server: string | undefined): Finding {
  if (server !== undefined) return ok('data folder', `${data}, in use by the server at ${server}`)
  if (!hasDatabase(data))
    return ok('data folder', `${data}, without a database yet: the first start makes one`)
  try {
    lockDataFolder(databaseFolder(data)!)()
    return ok('data folder', `${data}, not in use`)
  } catch (error) {
    return problem(
      'data folder',
      getErrorMessage(error),
      'End that process, or choose another folder: --data',
    )
  }
}

function checkFolder({ data, databaseUrl }: Config, server: string | undefined): Finding {
  if (data === 'memory')
    return databaseUrl === undefined
      ? warning(
          'data folder',
          'none: records are kept in memory, until the server ends',
          'Set OBJECTRY_DATA to a folder.',
        )
      : ok('data folder', 'none')
  const folder = existing(data)
  if (!statSync(folder).isDirectory())
    return problem('data folder', `${folder} is a file`, 'Choose another folder: --data')
  try {
    accessSync(folder, constants.W_OK | constants.R_OK)
  } catch {
    return problem(
      'data folder',
      `${folder} cannot be written by this user`,
      `chown it, or choose another folder: --data`,
    )
  }
  return databaseUrl === undefined ? checkHolder(data, server) : ok('data folder', `${data} can be written`)
}

async function checkDisk({ data }: Config): Promise<Finding> {
  const folder = existing(data === 'memory' ? '.' : data)
  const { bavail, bsize } = await statfs(folder)
  const megabytes = Math.floor((bavail * bsize) / MEGABYTE)
  const message = `${countText(megabytes)} MB are free at ${folder}`
  const remedy = 'Free some space, or choose a folder on another disk: --data'
  if (megabytes < LEAST_MB) return problem('disk', message, remedy)
  return megabytes < ENOUGH_MB ? warning('disk', message, remedy) : ok('disk', message)
}

/** The data folder and its disk. */
export const checkData = async (config: Config, server: string | undefined): Promise<readonly Finding[]> => [
  checkFolder(config, server),
  await checkDisk(config),
]
