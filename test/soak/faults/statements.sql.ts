/** The application name of the clients that make a database fail. */
export const FAULT_APPLICATION = 'faults'

const ofOthers = `from pg_stat_activity where backend_type = 'client backend' and datname = current_database()
  and application_name <> '${FAULT_APPLICATION}'`

/** Statements of those who make a database fail. They are sent by a client of their own. */
export const faultSql = {
  /** Ends the connections of everybody else to the database. */
  terminateOthers: `select pg_terminate_backend(pid) ${ofOthers}`,
  /** The processes that serve everybody else. */
  backendsOfOthers: `select pid ${ofOthers} order by pid`,
  lockLoad: 'begin; lock table org_1.load__c in access exclusive mode',
  unlock: 'rollback',
  /** For the transactions of all databases that begin from now on. */
  setServerReadOnly: (isReadOnly: boolean) => [
    `alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    'select pg_reload_conf()',
  ],
  /** For one database. Connections that are there already are ended, so that it holds for all. */
  setDatabaseReadOnly: (database: string, isReadOnly: boolean) => [
    `alter database ${database} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    `select pg_terminate_backend(pid) ${ofOthers}`,
  ],
  createRole: (role: string, maxConnections: number, password: string) =>
    `create role ${role} login password '${password}' connection limit ${maxConnections}`,
  createDatabase: (database: string, role: string) => `create database ${database} owner ${role}`,
  dropDatabase: (database: string) => `drop database if exists ${database} with (force)`,
  dropRole: (role: string) => `drop role if exists ${role}`,
}
