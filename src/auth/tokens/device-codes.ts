import { randomInt } from 'node:crypto'
import { type Clock, secondsNow } from '../../base/clock.ts'
import type { Db } from '../../storage/database/db.ts'
import type { Org } from '../../storage/orgs/org.ts'
import { hashToken, makeDeviceCode } from '../oauth/token-text.ts'
import { deviceCodeSql } from './device-codes.sql.ts'

/** How long a device code is valid. (docs/reference/api/tokens.md#device-flow) */
const DEVICE_CODE_SECONDS = 10 * 60

/** Characters that are not easily confused and form no words. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ23456789'
const USER_CODE_LENGTH = 8

/** A device that waits for approval. */
export interface DeviceCode {
  readonly codeHash: string
  /** The code that the user types: eight characters. */
  readonly userCode: string
  readonly clientId: string
  readonly org: Org
  readonly scopes: readonly string[]
  /** Seconds since 1970. */
  readonly issuedAt: number
  /** The user who approved it; null if there is none yet. */
  readonly userId: string | null
  readonly isDenied: boolean
  /** When the device last polled, in seconds since 1970. */
  readonly polledAt: number | null
}

function makeUserCode(): string {
  let code = ''
  while (code.length < USER_CODE_LENGTH) code += ALPHABET[randomInt(ALPHABET.length)]
  return code
}

/** Normalizes a typed code: no case, blanks or hyphens. Undefined if it cannot be a code. */
function readUserCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  return /^[A-Z0-9]{8}$/.test(code) ? code : undefined
}

type DeviceRow = Omit<DeviceCode, 'org'> & { orgId: string; schemaName: string; orgName: string }

function makeDeviceCodeFromRow(row: DeviceRow | undefined): DeviceCode | undefined {
  if (row === undefined) return undefined
  const { orgId, schemaName, orgName, ...device } = row
  return { ...device, org: { id: orgId, schemaName, name: orgName } }
}

export const isDeviceExpired = ({ issuedAt }: DeviceCode, clock: Clock) =>
  secondsNow(clock) >= issuedAt + DEVICE_CODE_SECONDS

/** Starts a device flow: creates the code to poll with and the code for the user. */
export async function startDevice(
  db: Db,
  clock: Clock,
  wanted: Pick<DeviceCode, 'clientId' | 'org' | 'scopes'>,
): Promise<{ deviceCode: string; userCode: string }> {
  const { clientId, org, scopes } = wanted
  const deviceCode = makeDeviceCode()
  for (;;) {
    const userCode = makeUserCode()
    const issuedAt = secondsNow(clock)
    const codeHash = hashToken(deviceCode)
    const code = { codeHash, userCode, clientId, orgId: org.id, scopes, issuedAt }
    const [made] = await db.query(deviceCodeSql.insert(code))
    if (made !== undefined) return { deviceCode, userCode }
  }
}

/** The device flow of a device code, even if expired. */
export async function findDevice(db: Db, deviceCode: string): Promise<DeviceCode | undefined> {
  const [row] = await db.query<DeviceRow>(deviceCodeSql.find(hashToken(deviceCode)))
  return makeDeviceCodeFromRow(row)
}

export async function recordPoll(db: Db, clock: Clock, { codeHash }: DeviceCode): Promise<void> {
  await db.query(deviceCodeSql.poll(codeHash, secondsNow(clock)))
}

/** Ends the flow for one caller. Returns false if a concurrent one was faster. */
export async function takeDevice(db: Db, { codeHash }: DeviceCode): Promise<boolean> {
  const [taken] = await db.query(deviceCodeSql.take(codeHash))
  return taken !== undefined
}

/** The device that waits for the code that a user typed. Ignores case and hyphens. */
export async function findUserCode(db: Db, typed: string, clock: Clock): Promise<DeviceCode | undefined> {
  const userCode = readUserCode(typed)
  if (userCode === undefined) return undefined
  const [row] = await db.query<DeviceRow>(deviceCodeSql.findByUserCode(userCode))
  const device = makeDeviceCodeFromRow(row)
  const waits = device !== undefined && device.userId === null && !device.isDenied
  return waits && !isDeviceExpired(device, clock) ? device : undefined
}

/** The user approves the device. Returns false if it no longer waits. */
export async function approveDevice(
  db: Db,
  clock: Clock,
  { userCode, org }: DeviceCode,
  userId: string,
): Promise<boolean> {
  const after = secondsNow(clock) - DEVICE_CODE_SECONDS
  const [approved] = await db.query(deviceCodeSql.approve(userCode, org.id, userId, after))
  return approved !== undefined
}

/** The user denies the device. Returns false if it no longer waits. */
export async function denyDevice(db: Db, clock: Clock, { userCode, org }: DeviceCode): Promise<boolean> {
  const [denied] = await db.query(deviceCodeSql.deny(userCode, org.id, secondsNow(clock)))
  return denied !== undefined
}
