import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import {
  addressList,
  ConfigError,
  existing,
  flag,
  headerToken,
  oneOf,
  origin,
  parseSecretKey,
  postgresAddress,
  retirementDays,
  versionNumbers,
  wholeNumber,
} from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'

/** Every setting as a value. Read once, at start. */
export interface Config {
  /** Address and port of the main listener. */
  readonly host: string
  readonly port: number
  /** Port of the public site; undefined if it is off. */
  readonly sitePort: number | undefined
  /** URL of PostgreSQL; undefined: the embedded engine. */
  readonly databaseUrl: string | undefined
  /** Number of server processes. */
  readonly processes: number
  /** Maximum number of connections to PostgreSQL, in each process. */
  readonly poolSize: number
  /** Time limit of a statement in PostgreSQL, in seconds. */
  readonly statementSeconds: number
  /** Maximum wait of a call for a connection, and of a statement for a lock, in seconds. */
  readonly connectionSeconds: number
  readonly lockSeconds: number
  /** Time limit of a call, in seconds. */
  readonly callSeconds: number
  /** Seconds between the signal to stop and the refusal of new connections. */
  readonly drainSeconds: number
  /** Maximum time of stopping after the drain time, in seconds. */
  readonly stopSeconds: number
  /** Seconds after which a server with a blocked event loop ends itself; undefined: never. */
  readonly blockedExitSeconds: number | undefined
  /** Folder of the embedded engine; `memory` for no files. */
  readonly data: string
  /** Folder of the deployment's own definitions and code. */
  readonly deployment: string | undefined
  /** True if the deployment's code is reloaded when its files change. */
  readonly watch: boolean
  /** Number of threads for the deployment's handlers, and maximum memory of each in megabytes. */
  readonly handlerThreads: number
  readonly handlerMemory: number
  /** Client id and secret of the first connected app, used at the first start; generated if absent. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Name of the first user, used at the first start. */
  readonly adminUsername: string
  /** Password of the first user, used at the first start; generated if absent. */
  readonly adminPassword: string | undefined
  /** Origin of `instance_url` and identity URLs; undefined: the host of the request. */
  readonly publicUrl: string | undefined
  /** True if the web console is served. */
  readonly console: boolean
  /** Another origin at which the console may sign in; undefined: none. */
  readonly consoleOrigin: string | undefined
  /** Proxies whose forwarding headers are trusted; undefined if there are none. */
  readonly trustedProxies: BlockList | undefined
  /** Major numbers of the supported API versions, ascending. */
  readonly versions: readonly number[]
  /** Major numbers of retired versions, which answer 410. */
  readonly retiredVersions: readonly number[]
  /** Retirement dates of supported versions, by major number. */
  readonly retirements: ReadonlyMap<number, Date>
  /** The edition, which decides the allocation of orgs. (docs/reference/api/limits-and-versions.md#allocation) */
  readonly edition: 'developer' | 'enterprise' | 'unlimited' | 'performance'
  readonly licenses: number
  /** Purchased calls in 24 hours, in addition to those of the edition. */
  readonly addedCalls: number
  /** Calls of an org in 24 hours; undefined: those of the edition; `unlimited`: calls are counted but not limited. */
  readonly allocation: number | 'unlimited' | undefined
  /** Events sent to the clients of an org in 24 hours, and platform events published in an hour; as `allocation`. */
  readonly deliveredEvents: number | 'unlimited' | undefined
  readonly publishedEvents: number | 'unlimited' | undefined
  /** Seconds after which a call counts as a long one. */
  readonly longCallSeconds: number
  /** Seconds that a token lives after its last use. */
  readonly sessionSeconds: number
  /** The key that encrypts secrets in the database; undefined: the one in the data folder. */
  readonly secretKey: Buffer | undefined
  /** Additional audiences of signed assertions; undefined: those that known clients use. */
  readonly jwtAudiences: readonly string[] | undefined
  /** True if the password flow is enabled. */
  readonly allowPasswordFlow: boolean
  /** True if users may log in by SOAP. */
  readonly allowSoapLogin: boolean
  /** True if the strict rules are off. (docs/reference/strict-rules.md) */
  readonly lenient: boolean
  /** Allowed token errors, started device flows, wrong passwords and wrong codes; 0: no limit. */
  readonly tokenErrors: number
  readonly deviceStarts: number
  readonly logInErrors: number
  readonly passwordErrors: number
  readonly codeErrors: number
  /** Maximum calls of a user with an app per second; 0: no limit. */
  readonly callsPerSecond: number
  /** Allows fault injection, and by a header of a call too. */
  /** Components of deployed archives that have no place here. */
  readonly unsupportedMetadata: 'refuse' | 'warn'
  readonly allowFaults: AllowFaults
  /** File with fault plans that are set for the first org at each start. */
  readonly faults: string | undefined
  /** Maximum size of a request body in bytes. */
  readonly bodyLimit: number
  /** Maximum size of the records of one answer, in bytes. */
  readonly answerLimit: number
  /** How much an org may store for further pages of query results, in megabytes. */
  readonly resultStorageMegabytes: number
  /** How much an org may store for uploads and results of bulk jobs, in megabytes. */
  readonly bulkStorageMegabytes: number
  /** How much the events of an org may take, in megabytes. */
  readonly eventLogMegabytes: number
  /** How long changes of records are kept, in days; undefined: always. */
  readonly historyDays: number | undefined
  /** Least severe level that is logged: `debug`, `info`, `warn`, `error`, or `silent`. */
  readonly logLevel: string
  /** Duration from which a statement is logged, in milliseconds; undefined: none is. */
  readonly slowStatementMilliseconds: number | undefined
  /** Bearer token for reading metrics from other machines; undefined: only this machine may. */
  readonly metricsToken: string | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const ALLOW_FAULTS = ['false', 'true', 'headers'] as const
type AllowFaults = (typeof ALLOW_FAULTS)[number]

/** Settings as texts, by name. */
export type Texts = { readonly [Name in SettingName]?: string | undefined }

function faultsFile(path: string | undefined, allowFaults: AllowFaults): string | undefined {
  const { variable } = SETTINGS.faults
  if (path === undefined) return undefined
  if (allowFaults === 'false') {
    throw new ConfigError(`${variable} needs ${SETTINGS.allowFaults.variable}=true: faults are off.`)
  }
  return existing(variable, 'a file', path)
}

/** More calls than any org makes in a day. */
const MAX_CALLS = 1_000_000_000

function parseAllocation(
  name: 'allocation' | 'deliveredEvents' | 'publishedEvents',
  text: string | undefined,
): Config['allocation'] {
  if (text === undefined || text === 'unlimited') return text
  return wholeNumber(SETTINGS[name].variable, text, 1, MAX_CALLS)
}

const MAX_PROCESSES = 256

function parseProcesses(text: string): number {
  if (text === 'auto') return availableParallelism()
  return wholeNumber(SETTINGS.processes.variable, text, 1, MAX_PROCESSES, ' or auto')
}

/**
 * An empty URL is an error: it would start an embedded database where another one is expected, as when a deployment sets
 * its variable to nothing.
 */
function databaseAddress(flag: string | undefined, variableText: string | undefined): string | undefined {
  const { variable } = SETTINGS.databaseUrl
  const text = flag ?? variableText
  if (text === '') {
    throw new ConfigError(
      `${variable} is set but empty. Set it to an address like postgres://user@host:5432/database, or unset it to use the embedded engine.`,
    )
  }
  return postgresAddress(variable, text)
}

const variableOf = (name: SettingName) => SETTINGS[name].variable

const given = (text: string | undefined) => (text === undefined || text === '' ? undefined : text)

/**
 * Reads settings from flags, then the environment, then defaults.
 * @throws ConfigError
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Texts = {},
): Config {
  const text = (name: SettingName): string | undefined =>
    given(flags[name]) ?? given(environment[SETTINGS[name].variable]) ?? SETTINGS[name].default
  const number = (name: SettingName, min: number, max: number) =>
    wholeNumber(variableOf(name), text(name)!, min, max)
  const retiredVersions = versionNumbers(variableOf('retiredVersions'), text('retiredVersions') ?? '')
  const versions = versionNumbers(variableOf('versions'), text('versions')!).filter(
    (version) => !retiredVersions.includes(version),
  )
  if (versions.length === 0)
    throw new ConfigError(`${SETTINGS.versions.variable} leaves no version to serve.`)
  const port = number('port', 0, 65_535)
  const sitePort = text('sitePort') === 'off' ? undefined : number('sitePort', 0, 65_535)
  // The default is dropped on a conflict: a server on port 8081 has no public site.
  const isSitePortGiven = (given(flags.sitePort) ?? given(environment.SITE_PORT)) !== undefined
  if (isSitePortGiven && port !== 0 && port === sitePort) {
    throw new ConfigError(
      `${SETTINGS.sitePort.variable} and ${SETTINGS.port.variable} are both ${port}. Set ${SETTINGS.sitePort.variable} to another port, or to off.`,
    )
  }
  const logLevel = oneOf(variableOf('logLevel'), text('logLevel')!, LOG_LEVELS)
  const allowFaults = oneOf(variableOf('allowFaults'), text('allowFaults')!, ALLOW_FAULTS)
  return Object.freeze({
    host: text('host')!,
    port,
    sitePort,
    databaseUrl: databaseAddress(flags.databaseUrl, environment[variableOf('databaseUrl')]),
    processes: parseProcesses(text('processes')!),
    poolSize: number('poolSize', 1, 1000),
    statementSeconds: number('statementSeconds', 1, 600),
    connectionSeconds: number('connectionSeconds', 1, 600),
    lockSeconds: number('lockSeconds', 1, 600),
    callSeconds: number('callSeconds', 1, 86_400),
    drainSeconds: number('drainSeconds', 0, 3600),
    stopSeconds: number('stopSeconds', 1, 3600),
    blockedExitSeconds:
      text('blockedExitSeconds') === undefined ? undefined : number('blockedExitSeconds', 2, 86_400),
    data: text('data')!,
    deployment: existing(variableOf('deployment'), 'a folder', text('deployment')),
    watch: flag(variableOf('watch'), text('watch') ?? String(environment.NODE_ENV !== 'production')),
    handlerThreads: number('handlerThreads', 1, 64),
    handlerMemory: number('handlerMemory', 16, 65_536),
    clientId: text('clientId'),
    clientSecret: text('clientSecret'),
    adminUsername: text('adminUsername')!,
    adminPassword: text('adminPassword'),
    publicUrl: origin(variableOf('publicUrl'), text('publicUrl')),
    console: oneOf(variableOf('console'), text('console')!, ['on', 'off']) === 'on',
    consoleOrigin: origin(variableOf('consoleOrigin'), text('consoleOrigin')),
    trustedProxies: addressList(variableOf('trustedProxies'), text('trustedProxies')),
    versions,
    retiredVersions,
    retirements: retirementDays(variableOf('retirements'), text('retirements') ?? ''),
    edition: oneOf(variableOf('edition'), text('edition')!, [
      'developer',
      'enterprise',
      'unlimited',
      'performance',
    ]),
    licenses: number('licenses', 0, 1_000_000),
    addedCalls: number('addedCalls', 0, MAX_CALLS),
    allocation: parseAllocation('allocation', text('allocation')),
    deliveredEvents: parseAllocation('deliveredEvents', text('deliveredEvents')),
    publishedEvents: parseAllocation('publishedEvents', text('publishedEvents')),
    longCallSeconds: number('longCallSeconds', 1, 600),
    sessionSeconds: number('sessionSeconds', 1, 86_400),
    secretKey: parseSecretKey(variableOf('secretKey'), text('secretKey')),
    jwtAudiences: text('jwtAudiences')
      ?.split(',')
      .map((audience) => audience.trim())
      .filter((audience) => audience !== ''),
    allowPasswordFlow: flag(variableOf('allowPasswordFlow'), text('allowPasswordFlow')!),
    allowSoapLogin: flag(variableOf('allowSoapLogin'), text('allowSoapLogin')!),
    lenient: flag(variableOf('lenient'), text('lenient')!),
    tokenErrors: number('tokenErrors', 0, 1_000_000),
    deviceStarts: number('deviceStarts', 0, 1_000_000),
    logInErrors: number('logInErrors', 0, 1_000_000),
    passwordErrors: number('passwordErrors', 0, 1_000_000),
    codeErrors: number('codeErrors', 0, 1_000_000),
    callsPerSecond: number('callsPerSecond', 0, 1_000_000),
    unsupportedMetadata: oneOf(variableOf('unsupportedMetadata'), text('unsupportedMetadata')!, [
      'refuse',
      'warn',
    ]),
    allowFaults,
    faults: faultsFile(text('faults'), allowFaults),
    bodyLimit: number('bodyLimit', 1024, 1024 ** 3),
    answerLimit: number('answerLimit', 1024 ** 2, 1024 ** 3),
    resultStorageMegabytes: number('resultStorageMegabytes', 0, 1024 ** 2),
    bulkStorageMegabytes: number('bulkStorageMegabytes', 0, 1024 ** 2),
    eventLogMegabytes: number('eventLogMegabytes', 1, 1024 ** 2),
    historyDays: text('historyDays') === 'unlimited' ? undefined : number('historyDays', 1, 36_500),
    logLevel,
    slowStatementMilliseconds:
      text('slowStatementMilliseconds') === 'off'
        ? undefined
        : number('slowStatementMilliseconds', 1, 86_400_000),
    metricsToken: headerToken(variableOf('metricsToken'), text('metricsToken')),
  })
}
