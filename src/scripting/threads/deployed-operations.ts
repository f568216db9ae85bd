import type { DeployedOrg } from '../sdk/deployed-org.ts'

/** Everything that deployed code may ask of the org, wherever it runs. */
export const OPERATIONS = [
  'query',
  'read',
  'create',
  'update',
  'upsert',
  'delete',
  'undelete',
  'enqueue',
  'log',
] as const satisfies readonly (keyof DeployedOrg)[]

export type Operation = (typeof OPERATIONS)[number]

export const isOperation = (name: string): name is Operation =>
  (OPERATIONS as readonly string[]).includes(name)
