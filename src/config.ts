import type { BlockList } from 'node:net'
import {
  addressList,
  ConfigError,
  existing,
  flag,
  headerToken,
  oneOf,
  origin,
  postgresAddress,
  retirementDays,
  secretKeyOf,
  versionNumbers,
  wholeNumber,
} from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'

/** Every setting as a value. Read once, at start. */
export interface Config {
  /** Address and port of the org's door. */
  readonly host: string
  readonly port: number
  /** Port of the public site; undefined: there is none. */
  readonly sitePort: number | undefined
  /** PostgreSQL; without it the embedded engine. */
  readonly databaseUrl: string | undefined
  /** Most connections to PostgreSQL. */
  readonly poolSize: number
  /** Seconds after which PostgreSQL gives up on a statement. */
  readonly statementSeconds: number
  /** Seconds that a call waits for a connection, and that a statement waits for a lock. */
  readonly connectionSeconds: number
  readonly lockSeconds: number
  /** Seconds after which a call is stopped. */
  readonly callSeconds: number
  /** Seconds between the signal to stop and the end of new connections. */
  readonly drainSeconds: number
  /** Seconds that a server takes to stop at most, after the drain time. */
  readonly stopSeconds: number
  /** Seconds after which a server whose event loop is blocked ends itself; undefined: never. */
  readonly blockedExitSeconds: number | undefined
  /** Folder of the embedded engine; `memory` keeps nothing. */
  readonly data: string
  /** Folder with what this deployment adds. */
  readonly deployment: string | undefined
  /** Whether the deployment's code is loaded anew when its files change. */
  readonly watch: boolean
  /** Threads for the deployment's handlers, and most memory of each in megabytes. */
  readonly handlerThreads: number
  readonly handlerMemory: number
  /** The first connected app, taken at the first start; generated when absent. */
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  /** Name of the first user, taken at the first start. */
  readonly adminUsername: string
  /** Its password, taken at the first start; generated when absent. */
  readonly adminPassword: string | undefined
  /** Origin for `instance_url` and identity addresses; undefined: the host that the request named. */
  readonly publicUrl: string | undefined
  /** Proxies that say the truth about where a request comes from; undefined: there are none. */
  readonly trustedProxies: BlockList | undefined
  /** Major numbers of the API versions that are served, ascending. */
  readonly versions: readonly number[]
  /** Major numbers that answer 410. */
  readonly retiredVersions: readonly number[]
  /** When versions that are served will retire, by their major numbers. */
  readonly retirements: ReadonlyMap<number, Date>
  /** What the orgs of this server may use. (docs/reference/api/limits-and-versions.md#allocation) */
  readonly edition: 'developer' | 'enterprise' | 'unlimited' | 'performance'
  readonly licenses: number
  /** Calls in 24 hours that were bought beside those of the edition. */
  readonly addedCalls: number
  /** Calls of an org in 24 hours; undefined: those of the edition; `unlimited`: they are counted and never refused. */
  readonly allocation: number | 'unlimited' | undefined
  /** Seconds after which a call is a long one. */
  readonly longCallSeconds: number
  /** Seconds that a token lives after its last use. */
  readonly sessionSeconds: number
  /** The key that secrets in the database are encrypted with; undefined: the one in the data folder. */
  readonly secretKey: Buffer | undefined
  /** Audiences that a signed assertion may name beside this server; undefined: those that known clients name. */
  readonly jwtAudiences: readonly string[] | undefined
  /** Whether users may get a token with their password. */
  readonly allowPasswordFlow: boolean
  /** How often a client may be refused a token, a device begin, and a password or a code be wrong; 0: without limit. */
  readonly tokenErrors: number
  readonly deviceStarts: number
  readonly logInErrors: number
  readonly passwordErrors: number
  readonly codeErrors: number
  /** Calls of a user with an app in a second; 0: without limit. */
  readonly callsPerSecond: number
  /** Whether orgs may rehearse failures, and whether a header of a call may name one. */
  readonly allowFaults: AllowFaults
  /** File with the fault plans of the first org, set at each start. */
  readonly faults: string | undefined
  /** Largest request body in bytes. */
  readonly bodyLimit: number
  /** Least severe level that is logged: `debug`, `info`, `warn`, `error`, or `silent`. */
  readonly logLevel: string
  /** Milliseconds from which on a statement is logged; undefined: none is. */
  readonly slowStatementMilliseconds: number | undefined
  /** Who shows it may read the metrics from anywhere; undefined: this machine alone may. */
  readonly metricsToken: string | undefined
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const ALLOW_FAULTS = ['false', 'true', 'headers'] as const
type AllowFaults = (typeof ALLOW_FAULTS)[number]

/** Settings as texts, by name. */
export type Texts = { readonly [Name in SettingName]?: string }

function faultsFile(path: string | undefined, allowFaults: AllowFaults): string | undefined {
  const { variable } = SETTINGS.faults
  if (path === undefined) return undefined
  if (allowFaults === 'false') {
    throw new ConfigError(`${variable} needs ${SETTINGS.allowFaults.variable}=true: faults are off.`)
  }
  return existing(variable, 'a file', path)
}

/** More calls than anybody makes in a day. */
const MAX_CALLS = 1_000_000_000

function allocationIn(text: string | undefined): Config['allocation'] {
  if (text === undefined || text === 'unlimited') return text
  return wholeNumber(SETTINGS.allocation.variable, text, 1, MAX_CALLS)
}

/**
 * An empty address would start an embedded database where another one is expected, as when a deployment leaves its
 * variable empty.
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
 * Settings from flags, then the environment, then defaults.
 * @throws ConfigError
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Texts = {},
): Config {
  const text = (name: SettingName): string | undefined =>
    given(flags[name]) ?? given(environment[SETTINGS[name].variable]) ?? SETTINGS[name].default
  const number = (name: SettingName, least: number, max: number) =>
    wholeNumber(variableOf(name), text(name)!, least, max)
  const retiredVersions = versionNumbers(variableOf('retiredVersions'), text('retiredVersions') ?? '')
  const versions = versionNumbers(variableOf('versions'), text('versions')!).filter(
    (version) => !retiredVersions.includes(version),
  )
  if (versions.length === 0)
    throw new ConfigError(`${SETTINGS.versions.variable} leaves no version to serve.`)
  const port = number('port', 0, 65_535)
  const sitePort = text('sitePort') === 'off' ? undefined : number('sitePort', 0, 65_535)
  // The default gives way: a server whose own port is 8081 has no public site.
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
    allocation: allocationIn(text('allocation')),
    longCallSeconds: number('longCallSeconds', 1, 600),
    sessionSeconds: number('sessionSeconds', 1, 86_400),
    secretKey: secretKeyOf(variableOf('secretKey'), text('secretKey')),
    jwtAudiences: text('jwtAudiences')
      ?.split(',')
      .map((audience) => audience.trim())
      .filter((audience) => audience !== ''),
    allowPasswordFlow: flag(variableOf('allowPasswordFlow'), text('allowPasswordFlow')!),
    tokenErrors: number('tokenErrors', 0, 1_000_000),
    deviceStarts: number('deviceStarts', 0, 1_000_000),
    logInErrors: number('logInErrors', 0, 1_000_000),
    passwordErrors: number('passwordErrors', 0, 1_000_000),
    codeErrors: number('codeErrors', 0, 1_000_000),
    callsPerSecond: number('callsPerSecond', 0, 1_000_000),
    allowFaults,
    faults: faultsFile(text('faults'), allowFaults),
    bodyLimit: number('bodyLimit', 1024, 1024 ** 3),
    logLevel,
    slowStatementMilliseconds:
      text('slowStatementMilliseconds') === 'off'
        ? undefined
        : number('slowStatementMilliseconds', 1, 86_400_000),
    metricsToken: headerToken(variableOf('metricsToken'), text('metricsToken')),
  })
}
