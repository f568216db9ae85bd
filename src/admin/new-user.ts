import { ApiError } from '../base/api-error.ts'
import { canonicalRecordId } from '../base/record-id.ts'
import type { Envelope } from '../calls/envelope.ts'
import type { Context } from '../context.ts'
import { setupUserSql } from './users.sql.ts'

/** Members of the body that creates a user. All except the first four have a default. */
export const NEW_USER_MEMBERS = [
  'username',
  'email',
  'lastName',
  'profile',
  'firstName',
  'role',
  'alias',
  'locale',
  'language',
  'timeZone',
  'emailEncoding',
  'password',
  'mustChange',
] as const

const LABELS = { profile: 'profile', userrole: 'role' } as const

/** Finds the id of a profile or role by name or id. */
async function findId(ctx: Context, table: keyof typeof LABELS, named: string): Promise<string> {
  const { db, org } = ctx
  const id = canonicalRecordId(named)
  if (id?.startsWith(table === 'profile' ? '00e' : '00E')) return id
  const name = named.trim()
  const [row] = name.includes('\0')
    ? []
    : await db.query<{ id: string }>(setupUserSql.named(org, table, name))
  if (row !== undefined) return row.id
  const rows = await db.query<{ name: string }>(setupUserSql.names(org, table))
  const label = LABELS[table]
  const there =
    rows.length === 0 ? `There is no ${label} yet` : `There are ${rows.map((one) => one.name).join(', ')}`
  throw new ApiError('INVALID_INPUT', `There is no ${label} ${name.slice(0, 255)}. ${there}`, {
    fields: [label],
  })
}

/** Makes an alias of at most eight characters: the first letter of the first name, then the last name. */
function makeAlias(firstName: string | undefined, lastName: string): string {
  const text = `${[...(firstName ?? '')][0] ?? ''}${lastName}`.toLowerCase().replaceAll(/\s+/g, '')
  return [...text].slice(0, 8).join('')
}

interface OrgLocale {
  readonly locale: string
  readonly language: string
  readonly timeZone: string
}

/** Makes the fields of the user record from the request body. */
export async function newUserFields(ctx: Context, envelope: Envelope): Promise<Record<string, unknown>> {
  const text = (name: (typeof NEW_USER_MEMBERS)[number]) => envelope.text(name)
  const required = (name: (typeof NEW_USER_MEMBERS)[number]) => envelope.required(name, text(name))
  const [username, email, lastName] = [required('username'), required('email'), required('lastName')]
  const profileId = await findId(ctx, 'profile', required('profile'))
  const role = text('role')
  const [org] = await ctx.db.query<OrgLocale>(setupUserSql.locale(ctx.org))
  return {
    Username: username,
    Email: email,
    LastName: lastName,
    FirstName: text('firstName') ?? null,
    Alias: text('alias') ?? makeAlias(text('firstName'), lastName),
    IsActive: true,
    ProfileId: profileId,
    ...(role !== undefined && { UserRoleId: await findId(ctx, 'userrole', role) }),
    LocaleSidKey: text('locale') ?? org?.locale ?? 'en_US',
    LanguageLocaleKey: text('language') ?? org?.language ?? 'en_US',
    TimeZoneSidKey: text('timeZone') ?? org?.timeZone ?? 'GMT',
    EmailEncodingKey: text('emailEncoding') ?? 'UTF-8',
  }
}
