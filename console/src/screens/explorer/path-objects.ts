import { data } from '../../api/client.ts'
import type { Inserted } from '../../components/schema/inserted.ts'

const OBJECT = /\/sobjects\/(\w+)/

/** The object that an address leads to; undefined for an address of none. */
export const objectIn = (path: string): string | undefined => OBJECT.exec(path)?.[1]

/** An address with something of the schema: the one of an object, or one that asks for a field more. */
export function insertIntoPath(path: string, { kind, text }: Inserted): string {
  if (kind === 'object') return data(`/sobjects/${text}`)
  if (kind !== 'field' || text.includes('.') || !OBJECT.test(path)) return path
  const [address, search = ''] = path.split('?') as [string, string?]
  const parameters = new URLSearchParams(search)
  const fields = parameters.get('fields')?.split(',').filter(Boolean) ?? []
  if (fields.includes(text)) return path
  parameters.set('fields', [...fields, text].join(','))
  return `${address}?${parameters.toString().replaceAll('%2C', ',')}`
}
