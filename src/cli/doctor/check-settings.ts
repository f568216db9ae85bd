import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nearest } from '../../base/nearest.ts'
import type { Config } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { unsafeSettings } from '../../server/unsafe-settings.ts'
import type { Environment } from '../command/terminal.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Set by Objectry itself for its processes. */
const INTERNAL = ['OBJECTRY_PROCESS']

function checkNames(environment: Environment): Finding[] {
  const known = Object.values(SETTINGS).map(({ variable }) => variable as string)
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('OBJECTRY_') && !known.includes(name) && !INTERNAL.includes(name),
  )
  return unknown.map((name) => {
    const meant = nearest(name, known)
    const remedy =
      meant === undefined ? 'Unset it; docs/reference/settings.md has all.' : `Did you mean ${meant}?`
    return warning('settings', `${name} is set, and there is no such setting`, remedy)
  })
}

/** The key that secrets in the database are encrypted with. */
function checkSecretKey({ secretKey, data, databaseUrl }: Config): Finding {
  const { variable } = SETTINGS.secretKey
  if (secretKey !== undefined) return ok('secret key', `set by ${variable}`)
  const file = join(data, 'secret.key')
  if (data !== 'memory' && existsSync(file)) {
    return databaseUrl === undefined
      ? ok('secret key', `in ${file}; keep a copy with your backups`)
      : warning(
          'secret key',
          `in ${file}, on this machine only`,
          `Set ${variable} on every server of this database to its content.`,
        )
  }
  return databaseUrl === undefined
    ? ok('secret key', 'made at the first start')
    : warning(
        'secret key',
        'none yet: the first start makes one on this machine',
        `Set ${variable} on every server.`,
      )
}

function checkDeployment({ deployment }: Config): Finding[] {
  if (deployment === undefined) return []
  const kinds = [
    'objects',
    'triggers',
    'resources',
    'jobs',
    'permission-sets',
    'profiles',
    'value-sets',
    'settings',
  ]
  return kinds.some((kind) => existsSync(join(deployment, kind)))
    ? [ok('deployment', deployment)]
    : [
        problem(
          'deployment',
          `${deployment} has none of the folders ${kinds.slice(0, 4).join(', ')}`,
          `Set ${SETTINGS.deployment.variable} to the folder that has them.`,
        ),
      ]
}

export function checkSettings(config: Config, environment: Environment): readonly Finding[] {
  const unsafe = unsafeSettings(config).map((message) =>
    warning('settings', message, 'See docs/reference/settings.md.'),
  )
  const names = checkNames(environment)
  const all = [...names, ...unsafe]
  return [
    ...(all.length === 0 ? [ok('settings', 'known and safe')] : all),
    checkSecretKey(config),
    ...checkDeployment(config),
  ]
}
