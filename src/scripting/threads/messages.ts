import type { ErrorItem } from '../../base/api-error.ts'
import type { DeployedOrg } from '../sdk/deployed-org.ts'

/** Represents a function of a module: functions cannot be sent between threads. */
export const FUNCTION = { isFunction: 'of a deployment' } as const

/** True if a member of a shape is a function in its thread. */
export const isFunction = (shape: unknown): boolean =>
  typeof shape === 'object' &&
  shape !== null &&
  'isFunction' in shape &&
  shape.isFunction === FUNCTION.isFunction

/** A module's default export as other threads see it: data, and `FUNCTION` where there is one. */
export interface LoadedModule {
  readonly file: string
  readonly shape: unknown
}

/** A serializable form of a thrown error. */
export interface ThrownError {
  readonly name: string
  readonly message: string
  /** `: line 4, column 11` of the deployed file. */
  readonly location: string
  /** Of an `HttpError`. */
  readonly status?: number
  /** Of an `OrgError`: what was refused. */
  readonly errors?: readonly ErrorItem[]
}

/** The result of a function: a `Response`, or any other value as JSON text. */
export type Returned =
  | { readonly json: string | undefined }
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly bytes: Uint8Array
    }

/** Arguments of a function call. */
export interface Arguments {
  /** The function's first argument. */
  readonly input: unknown
  /** Its last one. */
  readonly about: unknown
  /** Id of the user in whose name it runs, with the org as its second argument; undefined: it has none. */
  readonly userId: string | undefined
}

/** Messages from the server to a thread. */
export type ToThread =
  | {
      readonly kind: 'call'
      readonly call: number
      readonly file: string
      readonly member: string
      readonly with: Arguments
    }
  | { readonly kind: 'answer'; readonly operation: number; readonly value: unknown }
  | {
      readonly kind: 'refusal'
      readonly operation: number
      readonly message: string
      readonly errors: readonly ErrorItem[]
    }
  | { readonly kind: 'ping' }

/** Messages from a thread to the server. */
export type FromThread =
  | { readonly kind: 'loaded'; readonly modules: readonly LoadedModule[] }
  | { readonly kind: 'broken'; readonly message: string }
  | {
      readonly kind: 'operation'
      readonly call: number
      readonly operation: number
      readonly name: string
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'returned'; readonly call: number; readonly returned: Returned }
  | { readonly kind: 'threw'; readonly call: number; readonly error: ThrownError }
  | { readonly kind: 'stray'; readonly message: string }
  | { readonly kind: 'pong' }

/** The `workerData` of a thread. */
export interface ThreadData {
  /** Files of the deployment with their kind for messages, such as `resource`. */
  readonly files: readonly { readonly kind: string; readonly file: string }[]
}

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

type Operation = (typeof OPERATIONS)[number]

export const isOperation = (name: string): name is Operation =>
  (OPERATIONS as readonly string[]).includes(name)

/** A deployed function threw. */
export class ScriptError extends Error {
  readonly thrown: ThrownError

  constructor(thrown: ThrownError) {
    super(`${thrown.name}: ${thrown.message}`)
    this.thrown = thrown
  }
}

/** A deployed function took longer than it may. */
export class ScriptTimeout extends Error {}

/** The thread of a deployed function ended under it: it, or one that ran beside it, used too much of something. */
export class ThreadEnded extends Error {}
