import { ApiError } from '../../base/api-error.ts'
import type { Field } from '../../schema/fields/field.ts'
import {
  integrityError,
  type ObjectBehaviour,
  type Write,
  type WrittenRecord,
} from '../behaviour/behaviour.ts'
import { memberStatusSql } from './member-statuses.sql.ts'

/** Most statuses of a campaign: each write of a member reads them. */
const MAX_STATUSES = 50

/** A status of a campaign's members. */
interface Status {
  readonly id: string
  readonly campaign: string
  readonly label: string
  readonly isDefault: boolean
  readonly hasResponded: boolean
}

const loadStatuses = ({ db, org }: Write, campaigns: readonly string[]): Promise<Status[]> =>
  db.query<Status>(memberStatusSql.ofCampaigns(org, campaigns))

/** The status as it will be. */
function withChanges({ object }: Write, before: Status, { values }: WrittenRecord): Status {
  const given = <T>(name: string, own: T): T => {
    const field: Field = object.field(name)!
    return values.has(field) ? ((values.get(field) ?? field.type.emptyValue ?? null) as T) : own
  }
  return {
    ...before,
    label: given('Label', before.label),
    isDefault: given('IsDefault', before.isDefault),
    hasResponded: given('HasResponded', before.hasResponded),
  }
}

const foldLabel = ({ campaign, label }: Status) => `${campaign} ${String(label).toUpperCase()}`

/**
 * Checks what a list leaves of the statuses of its campaigns.
 * @param before those that there are
 * @param changed those of the list as they will be; undefined: it is deleted
 * @returns the errors by the id of the status
 */
function checkStatuses(
  before: readonly Status[],
  changed: ReadonlyMap<string, Status | undefined>,
): Map<string, ApiError> {
  const errors = new Map<string, ApiError>()
  const known = new Map(before.map((status) => [status.id, status]))
  const left = [...before.filter(({ id }) => !changed.has(id)), ...changed.values()].filter(
    (status) => status !== undefined,
  )
  const labels = Map.groupBy(left, foldLabel)
  const byCampaign = Map.groupBy(left, ({ campaign }) => campaign)
  for (const [id, status] of changed) {
    const own = known.get(id)
    const { campaign } = status ?? own ?? {}
    if (campaign === undefined) continue
    const others = byCampaign.get(campaign) ?? []
    /** Of two in the list with one label, the second is refused. */
    const isTaken = (label: string) =>
      labels.get(label)!.some((one) => one.id !== id && (one.id < id || !changed.has(one.id)))
    const gives = (test: (one: Status) => boolean) =>
      own !== undefined && test(own) && !(status !== undefined && test(status))
    if (gives(({ isDefault }) => isDefault) && !others.some(({ isDefault }) => isDefault))
      errors.set(id, integrityError('A campaign has a default status for its members', 'IsDefault'))
    else if (gives(({ hasResponded }) => hasResponded) && !others.some(({ hasResponded }) => hasResponded))
      errors.set(id, integrityError('A campaign has a status of members that responded', 'HasResponded'))
    else if (status !== undefined && isTaken(foldLabel(status)))
      errors.set(
        id,
        new ApiError('DUPLICATE_VALUE', 'The campaign has a status with this label', { fields: ['Label'] }),
      )
    else if (own === undefined && others.length > MAX_STATUSES)
      errors.set(
        id,
        new ApiError('LIMIT_EXCEEDED', `A campaign has at most ${MAX_STATUSES} statuses for its members`),
      )
  }
  return errors
}

const byRecord = <R extends WrittenRecord>(records: readonly R[], errors: ReadonlyMap<string, ApiError>) =>
  new Map(records.flatMap((record) => (errors.has(record.id) ? [[record, errors.get(record.id)!]] : [])))

/** Of the written statuses, the campaigns and what these have, locked until the transaction ends. */
async function lockStatuses(write: Write, ids: readonly string[]): Promise<readonly Status[]> {
  const campaigns = await write.db.query<{ id: string }>(memberStatusSql.lockCampaigns(write.org, [], ids))
  return loadStatuses(
    write,
    campaigns.map(({ id }) => id),
  )
}

/** Returns the statuses of a list after a change. */
function listChanges(write: Write, before: readonly Status[], records: readonly WrittenRecord[]) {
  const known = new Map(before.map((status) => [status.id, status]))
  return records.flatMap((record) => {
    const own = known.get(record.id)
    return own === undefined ? [] : [{ own, next: withChanges(write, own, record) }]
  })
}

/** Leaves each campaign one default, and lets members follow that have a status which was deleted before. */
async function settle({ db, org, audit }: Write, ids: readonly string[]): Promise<void> {
  await db.query(memberStatusSql.keepOneDefault(org, ids, audit))
  const adopted = await db.query<{ campaign: string }>(memberStatusSql.adoptMembers(org, ids, audit))
  const campaigns = new Set(adopted.map(({ campaign }) => campaign))
  if (campaigns.size > 0) await db.query(memberStatusSql.countResponses(org, [...campaigns], audit))
}

/** (docs/reference/api/standard-objects.md#campaign) */
export const CAMPAIGN_MEMBER_STATUS_BEHAVIOUR: ObjectBehaviour = {
  refuseInsert: async (write, records) => {
    const { object, db, org } = write
    const campaignOf = ({ values }: WrittenRecord) => String(values.get(object.field('CampaignId')!))
    const campaigns = [...new Set(records.map(campaignOf))]
    await db.query(memberStatusSql.lockCampaigns(org, campaigns, []))
    const before = await loadStatuses(write, campaigns)
    const none = { isDefault: false, hasResponded: false, label: '' }
    const added = records.map(
      (record) =>
        [
          record.id,
          withChanges(write, { ...none, id: record.id, campaign: campaignOf(record) }, record),
        ] as const,
    )
    return byRecord(records, checkStatuses(before, new Map(added)))
  },
  beforeInsert: async ({ object, db, org }, records) => {
    const order = object.field('SortOrder')!
    const campaignOf = ({ values }: WrittenRecord) => String(values.get(object.field('CampaignId')!))
    const unordered = records.filter(({ values }) => (values.get(order) ?? null) === null)
    if (unordered.length === 0) return
    const campaigns = [...new Set(unordered.map(campaignOf))]
    const rows = await db.query<{ id: string; last: number }>(memberStatusSql.lastOrders(org, campaigns))
    const last = new Map(rows.map(({ id, last }) => [id, last]))
    for (const record of unordered) {
      const next = (last.get(campaignOf(record)) ?? 0) + 1
      last.set(campaignOf(record), next)
      record.values.set(order, next)
    }
  },
  afterInsert: (write, records) =>
    settle(
      write,
      records.map(({ id }) => id),
    ),
  refuseChange: async (write, records) => {
    const before = await lockStatuses(
      write,
      records.map(({ id }) => id),
    )
    const changed = listChanges(write, before, records).map(({ next }) => [next.id, next] as const)
    return byRecord(records, checkStatuses(before, new Map(changed)))
  },
  beforeChange: async (write, records) => {
    const { db, org, audit } = write
    const before = await lockStatuses(
      write,
      records.map(({ id }) => id),
    )
    const changes = listChanges(write, before, records)
    const moved = changes.filter(
      ({ own, next }) => own.label !== next.label || own.hasResponded !== next.hasResponded,
    )
    if (moved.length === 0) return
    await db.query(memberStatusSql.setMembers(org, moved, audit))
    const campaigns = [...new Set(moved.map(({ own }) => own.campaign))]
    await db.query(memberStatusSql.countResponses(org, campaigns, audit))
  },
  afterChange: settle,
  refuseDelete: async (write, ids) => {
    const before = await lockStatuses(write, ids)
    return checkStatuses(before, new Map(ids.map((id) => [id, undefined])))
  },
}
