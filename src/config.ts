import { existsSync } from 'node:fs'

/** Every setting: what it is called, its default, what it means. Read once, at start. (design 12) */
export interface Config {
  /** Address and port of the org's door. */
  readonly host: string
  readonly port: number
  /** PostgreSQL; without it the embedded engine. */
  readonly databaseUrl: string | undefined
  /** Most connections to PostgreSQL. */
  readonly poolSize: number
  /** Seconds after which PostgreSQL gives up on a statement. */
  readonly statementSeconds: number
  /** Folder of the embedded engine; `memory` keeps nothing. */
  readonly data: string
  /** Folder with what this deployment adds. */
  readonly deployment: string | undefined
  /** The first connected app, taken at the first start; generated when absent. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Name of the first user, taken at the first start. */
  readonly adminUsername: string
  /** Its password, taken at the first start; generated when absent. */
  readonly adminPassword: string | undefined
  /** Origin for `instance_url` and identity addresses; undefined: the host that the request named. */
  readonly publicUrl: string | undefined
  /** Major numbers of the API versions that are served, ascending. */
  readonly versions: readonly number[]
  /** Major numbers that answer 410. */
  readonly retiredVersions: readonly number[]
  /** Seconds that a token lives after its last use. */
  readonly sessionSeconds: number
  /** The key that secrets in the database are encrypted with; undefined: the one in the data folder. */
  readonly secretKey: Buffer | undefined
  /** Audiences that a signed assertion may name beside this server; undefined: those that known clients name. */
  readonly jwtAudiences: readonly string[] | undefined
  /** Whether users may get a token with their password. */
  readonly allowPasswordFlow: boolean
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  /** Least severe level that is logged: `debug`, `info`, `warn`, `error`, or `silent`. */
  readonly logLevel: string
}

interface Setting {
  readonly variable: string
  readonly flag: string
  readonly default: string | undefined
  readonly meaning: string
}

/** One line per setting; the command line makes its flags and its help from this, and the reference page is held to it. */
export const SETTINGS = {
  host: { variable: 'HOST', flag: 'host', default: '127.0.0.1', meaning: 'address to listen on' },
  port: { variable: 'PORT', flag: 'port', default: '8080', meaning: 'port to listen on; 0 takes a free one' },
  databaseUrl: {
    variable: 'DATABASE_URL',
    flag: 'database-url',
    default: undefined,
    meaning: 'PostgreSQL 15 or newer; without it the embedded engine',
  },
  poolSize: {
    variable: 'OBJECTRY_POOL_SIZE',
    flag: 'pool-size',
    default: '16',
    meaning: 'most connections to PostgreSQL',
  },
  statementSeconds: {
    variable: 'OBJECTRY_STATEMENT_SECONDS',
    flag: 'statement-seconds',
    default: '120',
    meaning: 'seconds after which PostgreSQL gives up on a statement; not on the embedded engine',
  },
  data: {
    variable: 'OBJECTRY_DATA',
    flag: 'data',
    default: '.objectry',
    meaning: 'folder of the embedded engine; "memory" keeps nothing',
  },
  deployment: {
    variable: 'OBJECTRY_DEPLOYMENT',
    flag: 'deployment',
    default: undefined,
    meaning: 'folder with what this deployment adds: objects, rules, triggers',
  },
  clientId: {
    variable: 'OBJECTRY_CLIENT_ID',
    flag: 'client-id',
    default: undefined,
    meaning: 'client id of the first connected app, taken at the first start; generated when absent',
  },
  clientSecret: {
    variable: 'OBJECTRY_CLIENT_SECRET',
    flag: 'client-secret',
    default: undefined,
    meaning: 'its client secret, taken at the first start; generated when absent',
  },
  adminUsername: {
    variable: 'OBJECTRY_ADMIN_USERNAME',
    flag: 'admin-username',
    default: 'admin@objectry.local',
    meaning: 'name of the first user, taken at the first start',
  },
  adminPassword: {
    variable: 'OBJECTRY_ADMIN_PASSWORD',
    flag: 'admin-password',
    default: undefined,
    meaning: 'its password, taken at the first start; generated when absent',
  },
  publicUrl: {
    variable: 'OBJECTRY_PUBLIC_URL',
    flag: 'public-url',
    default: undefined,
    meaning: "origin for instance_url and identity addresses; without it the request's host",
  },
  versions: {
    variable: 'OBJECTRY_API_VERSIONS',
    flag: 'api-versions',
    default: '31-68',
    meaning: 'API versions that are served: numbers and ranges with commas between them',
  },
  retiredVersions: {
    variable: 'OBJECTRY_RETIRED_API_VERSIONS',
    flag: 'retired-api-versions',
    default: '7-30',
    meaning: 'API versions that answer 410 GONE; wins over the served ones',
  },
  sessionSeconds: {
    variable: 'OBJECTRY_SESSION_SECONDS',
    flag: 'session-seconds',
    default: '7200',
    meaning: 'seconds that a token lives after its last use',
  },
  secretKey: {
    variable: 'OBJECTRY_SECRET_KEY',
    flag: 'secret-key',
    default: undefined,
    meaning:
      'key that secrets in the database are encrypted with, 32 bytes in base64 or hexadecimal; without it the file secret.key in the data folder',
  },
  jwtAudiences: {
    variable: 'OBJECTRY_JWT_AUDIENCES',
    flag: 'jwt-audiences',
    default: undefined,
    meaning:
      'audiences that a signed assertion may name beside this server, with commas between; without it those that known clients name whatever server they talk to',
  },
  allowPasswordFlow: {
    variable: 'OBJECTRY_ALLOW_PASSWORD_FLOW',
    flag: 'allow-password-flow',
    default: 'false',
    meaning: 'true: users may get a token with their password; for old clients only',
  },
  bodyLimit: {
    variable: 'OBJECTRY_BODY_LIMIT',
    flag: 'body-limit',
    default: String(50 * 1024 * 1024),
    meaning: 'largest request body in bytes, after unpacking',
  },
  logLevel: {
    variable: 'OBJECTRY_LOG_LEVEL',
    flag: 'log-level',
    default: 'info',
    meaning: 'least severe level that is logged: debug, info, warn, error, silent',
  },
} as const satisfies Record<keyof Config, Setting>

/** A setting that cannot be used, said so that the reader knows what to change. */
export class ConfigError extends Error {}

type Texts = { readonly [Name in keyof Config]?: string }

function wholeNumber(name: keyof Config, text: string, least: number, most: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new ConfigError(
      `${SETTINGS[name].variable} must be a whole number from ${least} to ${most}, not "${text}".`,
    )
  }
  return number
}

/** `31-40,42` as numbers, ascending. */
function versionNumbers(name: keyof Config, text: string): number[] {
  const numbers = new Set<number>()
  for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
    const match = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(part)
    if (match === null) {
      throw new ConfigError(
        `${SETTINGS[name].variable} takes numbers and ranges like 31-68,70, not "${part}".`,
      )
    }
    const first = Number(match[1])
    const last = Number(match[2] ?? match[1])
    for (let number = first; number <= last; number++) numbers.add(number)
  }
  return [...numbers].sort((a, b) => a - b)
}

function origin(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new ConfigError(`${SETTINGS.publicUrl.variable} must be an http or https address, not "${text}".`)
  }
  return new URL(text).origin
}

function postgresAddress(text: string | undefined): string | undefined {
  // Its password is nothing to print.
  if (text !== undefined && !/^(postgres|postgresql|socket):/.test(text)) {
    throw new ConfigError(
      `${SETTINGS.databaseUrl.variable} must be an address like postgres://user@host:5432/database.`,
    )
  }
  return text
}

function folder(path: string | undefined): string | undefined {
  if (path !== undefined && !existsSync(path)) {
    throw new ConfigError(`${SETTINGS.deployment.variable} must be a folder that is there, not "${path}".`)
  }
  return path
}

function secretKeyOf(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length === 32 && /^[A-Za-z0-9+/_=-]+$/.test(text)) return key
  throw new ConfigError(
    `${SETTINGS.secretKey.variable} must be 32 bytes in base64 or hexadecimal: openssl rand -base64 32`,
  )
}

function flag(name: keyof Config, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ConfigError(`${SETTINGS[name].variable} must be true or false, not "${text}".`)
}

const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text)

/**
 * Settings from flags, then the environment, then defaults.
 * @throws ConfigError
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Texts = {},
): Config {
  const text = (name: keyof Config): string | undefined =>
    given(flags[name]) ?? given(environment[SETTINGS[name].variable]) ?? SETTINGS[name].default
  const retiredVersions = versionNumbers('retiredVersions', text('retiredVersions') ?? '')
  const versions = versionNumbers('versions', text('versions')!).filter(
    (version) => !retiredVersions.includes(version),
  )
  if (versions.length === 0)
    throw new ConfigError(`${SETTINGS.versions.variable} leaves no version to serve.`)
  const logLevel = text('logLevel')!
  if (!['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(logLevel)) {
    throw new ConfigError(
      `${SETTINGS.logLevel.variable} must be debug, info, warn, error or silent, not "${logLevel}".`,
    )
  }
  return Object.freeze({
    host: text('host')!,
    port: wholeNumber('port', text('port')!, 0, 65_535),
    databaseUrl: postgresAddress(text('databaseUrl')),
    poolSize: wholeNumber('poolSize', text('poolSize')!, 1, 1000),
    statementSeconds: wholeNumber('statementSeconds', text('statementSeconds')!, 1, 600),
    data: text('data')!,
    deployment: folder(text('deployment')),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    adminUsername: text('adminUsername')!,
    adminPassword: text('adminPassword'),
    publicUrl: origin(text('publicUrl')),
    versions,
    retiredVersions,
    sessionSeconds: wholeNumber('sessionSeconds', text('sessionSeconds')!, 1, 86_400),
    secretKey: secretKeyOf(text('secretKey')),
    jwtAudiences: text('jwtAudiences')
      ?.split(',')
      .map((audience) => audience.trim())
      .filter((audience) => audience !== ''),
    allowPasswordFlow: flag('allowPasswordFlow', text('allowPasswordFlow')!),
    bodyLimit: wholeNumber('bodyLimit', text('bodyLimit')!, 1024, 1024 ** 3),
    logLevel,
  })
}
