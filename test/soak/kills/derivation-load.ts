import type { KilledServer } from '../../support/killed-server.ts'

/** A write of a client, or undefined if it has nothing to write now. */
type Write =
  | {
      readonly method: string
      readonly object: string
      readonly path: string
      readonly body: object | undefined
    }
  | undefined

/** Ids of the records that a client made, by object, of objects whose records it changes again. */
export type Own = Record<string, string[]>

/** Writes of clients to records whose values follow from each other. */
export interface DerivationLoad<Shared> {
  readonly clients: number
  readonly deployment?: () => string
  /** Makes the records that all clients share: few, so that they meet. */
  readonly makeShared: (server: KilledServer) => Promise<Shared>
  /** Objects whose records a client changes again. */
  readonly own: readonly string[]
  readonly chooseWrite: (shared: Shared, own: Own) => Write
}

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/** A change, or without a body the deletion, of a record that the client made. */
export function changeOwn(own: Own, object: string, body: object | undefined): Write {
  const ids = own[object]!
  const at = Math.floor(Math.random() * ids.length)
  const [id] = body === undefined ? ids.splice(at, 1) : ids.slice(at, at + 1)
  if (id === undefined) return undefined
  return { method: body === undefined ? 'DELETE' : 'PATCH', object, path: `/${id}`, body }
}
