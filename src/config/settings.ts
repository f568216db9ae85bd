interface Setting {
  readonly variable: string
  readonly flag: string
  readonly default: string | undefined
  readonly meaning: string
}

/** The settings. The command line makes its flags and help from this table, and a test compares the reference page with it. */
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
  processes: {
    variable: 'OBJECTRY_PROCESSES',
    flag: 'processes',
    default: '1',
    meaning: 'server processes on the port, on PostgreSQL only; auto: as many as the machine has cores',
  },
  poolSize: {
    variable: 'OBJECTRY_POOL_SIZE',
    flag: 'pool-size',
    default: '16',
    meaning:
      'most connections to PostgreSQL for calls, in each process, and to each worker of a cluster; five more are for tokens, the quota and /readyz',
  },
  statementSeconds: {
    variable: 'OBJECTRY_STATEMENT_SECONDS',
    flag: 'statement-seconds',
    default: '120',
    meaning:
      'seconds after which a statement is given up, and after which PostgreSQL ends a transaction that sends none',
  },
  connectionSeconds: {
    variable: 'OBJECTRY_CONNECTION_SECONDS',
    flag: 'connection-seconds',
    default: '10',
    meaning: 'seconds that a call waits for a connection to the database; then it is answered with 503',
  },
  lockSeconds: {
    variable: 'OBJECTRY_LOCK_SECONDS',
    flag: 'lock-seconds',
    default: '10',
    meaning: 'seconds that a statement waits for a lock in PostgreSQL; then UNABLE_TO_LOCK_ROW',
  },
  callSeconds: {
    variable: 'OBJECTRY_CALL_SECONDS',
    flag: 'call-seconds',
    default: '600',
    meaning: 'seconds after which a call is stopped',
  },
  drainSeconds: {
    variable: 'OBJECTRY_DRAIN_SECONDS',
    flag: 'drain-seconds',
    default: '0',
    meaning: 'seconds after SIGTERM during which /readyz answers 503 and calls are still accepted',
  },
  stopSeconds: {
    variable: 'OBJECTRY_STOP_SECONDS',
    flag: 'stop-seconds',
    default: '30',
    meaning:
      'seconds after the drain time within which a server that stops has ended; calls still running are cancelled',
  },
  blockedExitSeconds: {
    variable: 'OBJECTRY_BLOCKED_EXIT_SECONDS',
    flag: 'blocked-exit-seconds',
    default: undefined,
    meaning:
      'seconds after which a server whose event loop is blocked ends itself with exit code 137; without it never',
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
      'true: resources and jobs are loaded again when their files change; without it where NODE_ENV is not production',
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
  console: {
    variable: 'OBJECTRY_CONSOLE',
    flag: 'console',
    default: 'on',
    meaning: 'off: the web console is not served',
  },
  consoleOrigin: {
    variable: 'OBJECTRY_CONSOLE_ORIGIN',
    flag: 'console-origin',
    default: undefined,
    meaning:
      'another origin at which the console may sign in, such as http://localhost:5173: for developing the console',
  },
  trustedProxies: {
    variable: 'OBJECTRY_TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    default: undefined,
    meaning:
      'addresses and networks of proxies whose X-Forwarded-For is believed, with commas between: 10.0.0.0/8,127.0.0.1; without it none',
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
  deliveredEvents: {
    variable: 'OBJECTRY_DELIVERED_EVENTS',
    flag: 'delivered-events',
    default: undefined,
    meaning:
      "events that are sent to the clients of an org in 24 hours, whatever its edition; unlimited counts them and ends no stream; without it the edition's",
  },
  publishedEvents: {
    variable: 'OBJECTRY_PUBLISHED_EVENTS',
    flag: 'published-events',
    default: undefined,
    meaning:
      "platform events that an org publishes in an hour, whatever its edition; unlimited counts them and refuses none; without it the edition's",
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
  allowSoapLogin: {
    variable: 'OBJECTRY_ALLOW_SOAP_LOGIN',
    flag: 'allow-soap-login',
    default: 'false',
    meaning:
      'true: users may log in by SOAP with their password, in versions up to 64.0; for old clients only',
  },
  lenient: {
    variable: 'OBJECTRY_LENIENT',
    flag: 'lenient',
    default: 'false',
    meaning:
      'true: the server takes what the platform refuses, as its reference lists; mistakes of clients are found later then',
  },
  tokenErrors: {
    variable: 'OBJECTRY_TOKEN_ERRORS',
    flag: 'token-errors',
    default: '60',
    meaning:
      'refused requests for tokens of a client from an address in a minute, and five times as many of all clients there; then 429; 0: no limit',
  },
  deviceStarts: {
    variable: 'OBJECTRY_DEVICE_STARTS',
    flag: 'device-starts',
    default: '30',
    meaning: 'devices that may begin to sign in from an address in a minute; then 429; 0: no limit',
  },
  logInErrors: {
    variable: 'OBJECTRY_LOGIN_ERRORS',
    flag: 'login-errors',
    default: '30',
    meaning: 'wrong passwords from an address in a minute, for all users together; then 429; 0: no limit',
  },
  passwordErrors: {
    variable: 'OBJECTRY_PASSWORD_ERRORS',
    flag: 'password-errors',
    default: '10',
    meaning:
      'wrong passwords in a row that lock a user at an address for 15 minutes; ten times as many in an hour lock the user at all addresses never logged in from; 0: no limit',
  },
  codeErrors: {
    variable: 'OBJECTRY_CODE_ERRORS',
    flag: 'code-errors',
    default: '10',
    meaning: 'wrong codes of devices that a user may type in ten minutes; then 429; 0: no limit',
  },
  callsPerSecond: {
    variable: 'OBJECTRY_CALLS_PER_SECOND',
    flag: 'calls-per-second',
    default: '0',
    meaning:
      'calls of a user with an app in a second, of the data API and custom resources, in each server process; more are 403 REQUEST_LIMIT_EXCEEDED; 0: no limit',
  },
  unsupportedMetadata: {
    variable: 'OBJECTRY_UNSUPPORTED_METADATA',
    flag: 'unsupported-metadata',
    default: 'refuse',
    meaning:
      'refuse: a component that has no place here fails its deployment; warn: it is left out with a warning',
  },
  allowFaults: {
    variable: 'OBJECTRY_ALLOW_FAULTS',
    flag: 'allow-faults',
    default: 'false',
    meaning:
      'true: orgs may have fault plans and their clocks moved; headers: the header Svc-Fault of a call too; never where the data matters',
  },
  faults: {
    variable: 'OBJECTRY_FAULTS',
    flag: 'faults',
    default: undefined,
    meaning: 'YAML file with the fault plans of the first org, set at each start; needs allow-faults',
  },
  bodyLimit: {
    variable: 'OBJECTRY_BODY_LIMIT',
    flag: 'body-limit',
    default: String(50 * 1024 * 1024),
    meaning: 'largest request body in bytes, after unpacking',
  },
  answerLimit: {
    variable: 'OBJECTRY_ANSWER_LIMIT',
    flag: 'answer-limit',
    default: String(32 * 1024 * 1024),
    meaning:
      'what the records of one answer may take, in bytes; at most a 32nd of the heap. Pages of large records have fewer of them',
  },
  resultStorageMegabytes: {
    variable: 'OBJECTRY_RESULT_STORAGE_MB',
    flag: 'result-storage-mb',
    default: '2048',
    meaning:
      'megabytes that an org may store for further pages of query results, two days each; queries that need more are 400 STORAGE_LIMIT_EXCEEDED',
  },
  bulkStorageMegabytes: {
    variable: 'OBJECTRY_BULK_STORAGE_MB',
    flag: 'bulk-storage-mb',
    default: '10240',
    meaning:
      'megabytes that an org may store for uploads and results of bulk jobs, seven days each; an upload that needs more is 400 EXCEEDEDQUOTA, and a job whose results do fails',
  },
  eventLogMegabytes: {
    variable: 'OBJECTRY_EVENT_LOG_MB',
    flag: 'event-log-mb',
    default: '1024',
    meaning:
      'megabytes that the events of an org may take, looked at once a minute; the oldest are deleted before their 72 hours are over',
  },
  historyDays: {
    variable: 'OBJECTRY_HISTORY_DAYS',
    flag: 'history-days',
    default: 'unlimited',
    meaning: 'days for which changes of records are kept in their history; unlimited keeps all of them',
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
    meaning:
      'milliseconds from which on a statement is logged, without its values, and a query noted for advise; off: none is',
  },
  metricsToken: {
    variable: 'OBJECTRY_METRICS_TOKEN',
    flag: 'metrics-token',
    default: undefined,
    meaning: 'token for /metrics; without it only this machine itself may read them',
  },
} as const satisfies Record<string, Setting>

/** The name of a setting in `Config`. */
export type SettingName = keyof typeof SETTINGS

/** Settings whose flag may be given without a value. */
export const BARE_FLAGS: readonly SettingName[] = ['allowFaults', 'lenient']
