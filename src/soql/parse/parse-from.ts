import { parseFromAlias, parseName, parsePath } from './parse-name.ts'
import type { TokenStream } from './token-stream.ts'
import type { FromChildren, FromObject, FromPath } from './tree.ts'

/** `FROM Account a`. (docs/reference/api/queries.md#grammar) */
export function parseFromObject(stream: TokenStream): FromObject {
  stream.expect('FROM')
  const object = parseName(stream)
  return { kind: 'fromObject', object, alias: parseFromAlias(stream), at: object.at }
}

/** `, c.Account a` after the first object, any number of times. (docs/reference/api/queries.md#grammar) */
export function parseFromPaths(stream: TokenStream): readonly FromPath[] {
  const paths: FromPath[] = []
  while (stream.skip(',')) {
    const path = parsePath(stream)
    paths.push({ kind: 'fromPath', path, alias: parseFromAlias(stream), at: path.at })
  }
  return paths
}

/** `FROM Contacts`, `FROM Account.Contacts c`. (docs/reference/api/queries.md#children) */
export function parseFromChildren(stream: TokenStream): FromChildren {
  stream.expect('FROM')
  const first = parseName(stream)
  const prefix = stream.skip('.') ? first : undefined
  const relationship = prefix === undefined ? first : parseName(stream)
  return { kind: 'fromChildren', prefix, relationship, alias: parseFromAlias(stream), at: first.at }
}
