import { ApiError } from '../../base/api-error.ts'
import { getText, type Write, type WrittenRecord } from '../behaviour/behaviour.ts'
import { nicknameSql } from './setup.sql.ts'

const MAX_LENGTH = 40

const FIELD = 'CommunityNickname'

const duplicate = () =>
  new ApiError('DUPLICATE_COMM_NICKNAME', 'Another user has this nickname. Choose another one.', {
    fields: [FIELD],
  })

const getNickname = ({ object }: Write, { values }: WrittenRecord) =>
  getText(object, values, FIELD)?.toLowerCase()

/** Refuses nicknames that another user has, whatever their case. */
export async function refuseTakenNicknames<R extends WrittenRecord>(
  write: Write,
  records: readonly R[],
): Promise<ReadonlyMap<R, ApiError>> {
  const { db, org } = write
  const nicknames = records.flatMap((record) => getNickname(write, record) ?? [])
  if (nicknames.length === 0) return new Map()
  await db.query(nicknameSql.lock(org))
  const found = await db.query<{ id: string; nickname: string }>(nicknameSql.holders(org, nicknames))
  const holders = new Map(found.map(({ id, nickname }) => [nickname, id]))
  const refusals = new Map<R, ApiError>()
  for (const record of records) {
    const nickname = getNickname(write, record)
    if (nickname === undefined) continue
    const holder = holders.get(nickname)
    if (holder !== undefined && holder !== record.id) refusals.set(record, duplicate())
    else holders.set(nickname, record.id)
  }
  return refusals
}

/** The part of a username before the `@`. */
const makeNickname = (username: string) => [...username.split('@')[0]!].slice(0, MAX_LENGTH).join('')

/** The nickname, or with the first number behind it that makes it free. */
function findFree(nickname: string, taken: ReadonlySet<string>): string {
  let free = nickname
  for (let number = 1; taken.has(free.toLowerCase()); number++)
    free = `${[...nickname].slice(0, MAX_LENGTH - String(number).length).join('')}${number}`
  return free
}

/** Gives new users without a nickname one of their own. */
export async function addNicknames(write: Write, records: readonly WrittenRecord[]): Promise<void> {
  const { db, org, object } = write
  const without = records.filter((record) => getNickname(write, record) === undefined)
  const wanted = without.map(({ values }) => makeNickname(getText(object, values, 'Username') ?? ''))
  if (without.length === 0) return
  await db.query(nicknameSql.lock(org))
  // A number may shorten it.
  const starts = wanted.map((nickname) => [...nickname.toLowerCase()].slice(0, MAX_LENGTH - 6).join(''))
  const found = await db.query<{ nickname: string }>(nicknameSql.beginningWith(org, starts))
  const given = records.flatMap((record) => getNickname(write, record) ?? [])
  const taken = new Set([...given, ...found.map(({ nickname }) => nickname)])
  for (const [index, { values }] of without.entries()) {
    const nickname = findFree(wanted[index]!, taken)
    taken.add(nickname.toLowerCase())
    values.set(object.field(FIELD)!, nickname || null)
  }
}
