import { createUser } from './create-user.ts'
import type { Answer, Sent, TestOrg } from './org.ts'

/** Somebody with a profile that allows nothing but what a test gives. */
export interface Person {
  readonly id: string
  readonly profileId: string
  /** The permission set that belongs to the profile. */
  readonly setId: string
  /** A call in the person's name. */
  call(method: string, path: string, sent?: Sent): Promise<Answer>
  /** The same org, as this person calls it. */
  readonly org: TestOrg
}

/** Rights on an object as they are written in ObjectPermissions, without `Permissions`. */
export type Right =
  | 'Read'
  | 'Create'
  | 'Edit'
  | 'Delete'
  | 'ViewAllRecords'
  | 'ModifyAllRecords'
  | 'ViewAllFields'
  | 'EditAllFields'

/** Makes a profile of its own for a user. */
export async function addPerson(o: TestOrg, name: string, more: object = {}): Promise<Person> {
  const profileId = await o.create('Profile', { Name: `Profile of ${name}`, PermissionsApiEnabled: true })
  const id = await createUser(o, name, { ProfileId: profileId, ...more })
  const query = encodeURIComponent(`SELECT Id FROM PermissionSet WHERE ProfileId = '${profileId}'`)
  const found = await o.call('GET', `/query?q=${query}`)
  const token = o.services.sessions.issueUnstored(o.org, id)
  const call: Person['call'] = (method, path, sent = {}) =>
    o.call(method, path, { ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } })
  const org: TestOrg = {
    ...o,
    userId: id,
    token,
    call,
    async create(object, fields) {
      const answer = await call('POST', `/sobjects/${object}`, { body: fields })
      if (answer.status !== 201) throw new Error(`create ${object}: ${answer.status} ${answer.text}`)
      return answer.body.id
    },
  }
  return { id, profileId, setId: found.body.records[0].Id, call, org }
}

/** Gives a permission set rights on an object. */
export function allow(
  o: TestOrg,
  setId: string,
  object: string,
  ...rights: readonly Right[]
): Promise<string> {
  const given = Object.fromEntries(rights.map((right) => [`Permissions${right}`, true]))
  return o.create('ObjectPermissions', { ParentId: setId, SobjectType: object, ...given })
}

/** Gives it a field: `Account.Industry`. */
export function allowField(
  o: TestOrg,
  setId: string,
  field: string,
  right: 'Read' | 'Edit' = 'Read',
): Promise<string> {
  const [object] = field.split('.')
  return o.create('FieldPermissions', {
    ParentId: setId,
    SobjectType: object,
    Field: field,
    [`Permissions${right}`]: true,
  })
}
