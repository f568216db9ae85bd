import {
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

/** Every setting: what it is called, its default, what it means. Read once, at start. (design 12) */
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
  /** Seconds after which a call is stopped. */
  readonly callSeconds: number
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
  /** Major numbers of the API versions that are served, ascending. */
  readonly versions: readonly number[]
  /** Major numbers that answer 410. */
  readonly retiredVersions: readonly number[]
  /** When versions that are served will retire, by their major numbers. */
  readonly retirements: ReadonlyMap<number, Date>
  /** What the orgs of this server may use. (interface.md "Limits") */
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
  /** Whether orgs may rehearse failures, and whether a header of a call may name one. */
  readonly allowFaults: AllowFaults
  /** File with the failures that the first org rehearses from the start on. */
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
  sitePort: {
    variable: 'SITE_PORT',
    flag: 'site-port',
    default: '8081',
    meaning:
      'port of the public site, for custom resources that the guest may call; 0 takes a free one, off opens none',
  },
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
  callSeconds: {
    variable: 'OBJECTRY_CALL_SECONDS',
    flag: 'call-seconds',
    default: '600',
    meaning: 'seconds after which a call is stopped',
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
    meaning: 'folder with what this deployment adds: objects, rules, triggers, resources, jobs',
  },
  watch: {
    variable: 'OBJECTRY_WATCH',
    flag: 'watch',
    default: undefined,
    meaning:
      'true: resources and jobs are loaded anew when their files change; without it where NODE_ENV is not production',
  },
  handlerThreads: {
    variable: 'OBJECTRY_HANDLER_THREADS',
    flag: 'handler-threads',
    default: '2',
    meaning: 'threads that run custom resources, and as many for background work',
  },
  handlerMemory: {
    variable: 'OBJECTRY_HANDLER_MEMORY',
    flag: 'handler-memory',
    default: '256',
    meaning: 'most memory of such a thread in megabytes; one that uses more is ended and replaced',
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
  retirements: {
    variable: 'OBJECTRY_API_RETIREMENTS',
    flag: 'api-retirements',
    default: '31-40=2028-06-01',
    meaning:
      'from which day on versions will answer 410, with semicolons between: 31-40=2028-06-01; they are deprecated in the year before',
  },
  edition: {
    variable: 'OBJECTRY_EDITION',
    flag: 'edition',
    default: 'developer',
    meaning: 'developer, enterprise, unlimited or performance: how many calls an org may make in 24 hours',
  },
  licenses: {
    variable: 'OBJECTRY_LICENSES',
    flag: 'licenses',
    default: '0',
    meaning:
      'licences of each org, which add 1,000 calls each (enterprise) or 5,000 (unlimited, performance)',
  },
  addedCalls: {
    variable: 'OBJECTRY_ADDED_CALLS',
    flag: 'added-calls',
    default: '0',
    meaning: 'calls in 24 hours that were bought beside them',
  },
  allocation: {
    variable: 'OBJECTRY_ALLOCATION',
    flag: 'allocation',
    default: undefined,
    meaning:
      "calls of an org in 24 hours, whatever its edition; unlimited counts them and refuses none; without it the edition's",
  },
  longCallSeconds: {
    variable: 'OBJECTRY_LONG_CALL_SECONDS',
    flag: 'long-call-seconds',
    default: '20',
    meaning:
      'seconds after which a call is a long one; more than 25 of them (5 in the developer edition) keep new calls out',
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
  allowFaults: {
    variable: 'OBJECTRY_ALLOW_FAULTS',
    flag: 'allow-faults',
    default: 'false',
    meaning:
      'true: orgs may rehearse failures and have their clocks moved; headers: the header Svc-Fault of a call too; never where the data matters',
  },
  faults: {
    variable: 'OBJECTRY_FAULTS',
    flag: 'faults',
    default: undefined,
    meaning: 'YAML file with the failures that the first org rehearses from the start on; needs allow-faults',
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
  slowStatementMilliseconds: {
    variable: 'OBJECTRY_SLOW_STATEMENT_MS',
    flag: 'slow-statement-ms',
    default: '1000',
    meaning: 'milliseconds from which on a statement is logged, without its values; off logs none',
  },
  metricsToken: {
    variable: 'OBJECTRY_METRICS_TOKEN',
    flag: 'metrics-token',
    default: undefined,
    meaning: 'token for /metrics; without it only this machine itself may read them',
  },
} as const satisfies Record<keyof Config, Setting>

/** Settings whose flag says true when it stands alone. */
export const BARE_FLAGS: readonly (keyof Config)[] = ['allowFaults']

type Texts = { readonly [Name in keyof Config]?: string }

function faultsFile(path: string | undefined, allowFaults: AllowFaults): string | undefined {
  const { variable } = SETTINGS.faults
  if (path === undefined) return undefined
  if (allowFaults === 'false') {
    throw new ConfigError(`${variable} needs ${SETTINGS.allowFaults.variable}=true: faults are off.`)
  }
  return existing(variable, 'a file', path)
}

/** More calls than anybody makes in a day. */
const MOST_CALLS = 1_000_000_000

function allocationIn(text: string | undefined): Config['allocation'] {
  if (text === undefined || text === 'unlimited') return text
  return wholeNumber(SETTINGS.allocation.variable, text, 1, MOST_CALLS)
}

const variableOf = (name: keyof Config) => SETTINGS[name].variable

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
  const number = (name: keyof Config, least: number, most: number) =>
    wholeNumber(variableOf(name), text(name)!, least, most)
  const retiredVersions = versionNumbers(variableOf('retiredVersions'), text('retiredVersions') ?? '')
  const versions = versionNumbers(variableOf('versions'), text('versions')!).filter(
    (version) => !retiredVersions.includes(version),
  )
  if (versions.length === 0)
    throw new ConfigError(`${SETTINGS.versions.variable} leaves no version to serve.`)
  const logLevel = oneOf(variableOf('logLevel'), text('logLevel')!, LOG_LEVELS)
  const allowFaults = oneOf(variableOf('allowFaults'), text('allowFaults')!, ALLOW_FAULTS)
  return Object.freeze({
    host: text('host')!,
    port: number('port', 0, 65_535),
    sitePort: text('sitePort') === 'off' ? undefined : number('sitePort', 0, 65_535),
    databaseUrl: postgresAddress(variableOf('databaseUrl'), text('databaseUrl')),
    poolSize: number('poolSize', 1, 1000),
    statementSeconds: number('statementSeconds', 1, 600),
    callSeconds: number('callSeconds', 1, 86_400),
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
    addedCalls: number('addedCalls', 0, MOST_CALLS),
    allocation: allocationIn(text('allocation')),
    longCallSeconds: number('longCallSeconds', 1, 600),
    sessionSeconds: number('sessionSeconds', 1, 86_400),
    secretKey: secretKeyOf(variableOf('secretKey'), text('secretKey')),
    jwtAudiences: text('jwtAudiences')
      ?.split(',')
      .map((audience) => audience.trim())
      .filter((audience) => audience !== ''),
    allowPasswordFlow: flag(variableOf('allowPasswordFlow'), text('allowPasswordFlow')!),
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
