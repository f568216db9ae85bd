import type { Context } from '../../context.ts'

export interface FileProperties {
  readonly [name: string]: string
}

interface NamedFile {
  readonly type: string
  readonly fullName: string
  readonly path: string
}

/**
 * Returns the properties of the file of a component. Definitions have neither ids nor authors of their own here: times are those of
 * the schema, people the caller. (docs/reference/api/deployments.md#retrieve)
 */
export function makeProperties(
  { principal, schema }: Pick<Context, 'principal' | 'schema'>,
  { type, fullName, path }: NamedFile,
): FileProperties {
  const { userId, username } = principal
  const time = schema.changedAt.toISOString()
  return {
    createdById: userId,
    createdByName: username,
    createdDate: time,
    fileName: path,
    fullName,
    id: '',
    lastModifiedById: userId,
    lastModifiedByName: username,
    lastModifiedDate: time,
    manageableState: 'unmanaged',
    type,
  }
}
