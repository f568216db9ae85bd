import type { Config } from '../../config/config.ts'
import { SETTINGS } from '../../config/settings.ts'
import { getErrorMessage } from './get-error-message.ts'

const { port, sitePort, host, databaseUrl } = SETTINGS

type PortSetting = typeof port | typeof sitePort

type Ports = Pick<Config, 'sitePort'>

/** Explains errors of an address to listen on, and what helps. */
const LISTEN_REMEDIES: Readonly<Record<string, (setting: PortSetting) => string>> = {
  EADDRINUSE: ({ variable, flag }) =>
    `another program listens at this address. End it, or choose another port: ${variable}, --${flag}`,
  EADDRNOTAVAIL: () =>
    `this machine does not have the address. Choose one of its own: ${host.variable}, --${host.flag}`,
  EACCES: ({ variable, flag }) =>
    `listening there is not permitted. Ports below 1024 need rights of their own: choose another with ${variable}, --${flag}`,
}

/** Explains error codes of the operating system and PostgreSQL, and what helps; the message follows in brackets. */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: `no database answers there. Start PostgreSQL, or correct ${databaseUrl.variable}; objectry doctor looks at it`,
  ENOTFOUND: `there is no such host. Correct ${databaseUrl.variable} or ${host.variable}`,
  ETIMEDOUT: `no database answers there in time. Look at the network, or correct ${databaseUrl.variable}`,
  // invalid_catalog_name, invalid_password, invalid_authorization_specification
  '3D000': `make it (createdb --encoding UTF8 --locale C.UTF-8 --template template0 <name>), or correct ${databaseUrl.variable}`,
  '28P01': `correct the user or password in ${databaseUrl.variable}`,
  '28000': `correct the user in ${databaseUrl.variable}, or let it in (pg_hba.conf)`,
}

/** The remedy for an error, for what is behind it, or for the first of several that stand for one name with several addresses. */
function findRemedy(error: unknown, config: Ports | undefined): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, port: taken } = error as NodeJS.ErrnoException & { readonly port?: number }
  // Files are refused by the same codes as addresses. One of several processes binds, and does not listen.
  const own =
    syscall === 'listen' || syscall === 'bind'
      ? LISTEN_REMEDIES[code]?.(taken !== undefined && taken === config?.sitePort ? sitePort : port)
      : REMEDIES[code]
  return (
    own ??
    findRemedy(error.cause, config) ??
    (error instanceof AggregateError ? findRemedy(error.errors[0], config) : undefined)
  )
}

/**
 * Why a server or its database cannot be used, and what to do about it, in one line.
 * @param config of a server that was to listen
 */
export function explainError(error: unknown, config?: Ports): string {
  const message = getErrorMessage(error)
  const remedy = findRemedy(error, config)
  return remedy === undefined ? message : `${message}: ${remedy}.`
}
