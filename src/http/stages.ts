import { allowOrigin, allowOriginInOrg } from './cross-origin.ts'
import {
  classAccess,
  customTarget,
  findResource,
  guestCaller,
  knownVerb,
  receiveDelivery,
  runHandler,
} from './custom-stages.ts'
import {
  bearerToCaller,
  beginCall,
  checkUriLength,
  countCall,
  countRate,
  dataScope,
  dispatchCall,
  knownVersion,
  livingVersion,
  overrideMethod,
  snapshotOfOrg,
} from './data-stages.ts'
import { discovery, signingKeys } from './discovery-stages.ts'
import { cutAfterwards, meetFaults, sufferFaults } from './fault-stages.ts'
import { identity } from './identity-stage.ts'
import { introspection } from './introspect-stage.ts'
import { receiveBody, unpackBody } from './receive-body.ts'
import { revocation } from './revoke-stage.ts'
import { administratorOnly, dispatchSetup, setupTarget } from './setup-stages.ts'
import { tokenEndpoint } from './token-stage.ts'
import { userinfo } from './userinfo-stage.ts'
import { listVersions } from './version-list.ts'
import type { Stage } from './visit.ts'

type TabledDoor = 'versions' | 'data' | 'custom' | 'site' | 'setup' | 'token' | 'identity'
type OwnDoor = 'revoke' | 'introspect' | 'userinfo' | 'keys' | 'discovery'

/** The ways in. */
export type Door = TabledDoor | OwnDoor

const x = true
const o = false

/** Which stage each door has, in the order in which they run: a hole in a column is visible. (design 5) */
const TABLE: readonly (readonly [Stage, Readonly<Record<TabledDoor, boolean>>])[] = [
  [allowOrigin, /*      */ { versions: x, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [checkUriLength, /*   */ { versions: x, data: x, custom: x, site: x, setup: x, token: x, identity: x }],
  [overrideMethod, /*   */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [knownVersion, /*     */ { versions: o, data: x, custom: o, site: o, setup: o, token: o, identity: o }],
  [customTarget, /*     */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [bearerToCaller, /*   */ { versions: o, data: x, custom: x, site: o, setup: x, token: o, identity: o }],
  [dataScope, /*        */ { versions: o, data: x, custom: x, site: o, setup: x, token: o, identity: o }],
  [livingVersion, /*    */ { versions: o, data: x, custom: o, site: o, setup: o, token: o, identity: o }],
  [guestCaller, /*      */ { versions: o, data: o, custom: o, site: x, setup: o, token: o, identity: o }],
  [allowOriginInOrg, /* */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [snapshotOfOrg, /*    */ { versions: o, data: x, custom: x, site: x, setup: x, token: o, identity: o }],
  [findResource, /*     */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [classAccess, /*      */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [countRate, /*        */ { versions: o, data: x, custom: x, site: o, setup: o, token: o, identity: o }],
  [meetFaults, /*       */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [countCall, /*        */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [beginCall, /*        */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [administratorOnly, /**/ { versions: o, data: o, custom: o, site: o, setup: x, token: o, identity: o }],
  [receiveBody, /*      */ { versions: o, data: x, custom: x, site: x, setup: x, token: x, identity: o }],
  [sufferFaults, /*     */ { versions: o, data: x, custom: x, site: x, setup: o, token: o, identity: o }],
  [knownVerb, /*        */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [receiveDelivery, /*  */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [unpackBody, /*       */ { versions: o, data: x, custom: x, site: x, setup: x, token: x, identity: o }],
  [dispatchCall, /*     */ { versions: o, data: x, custom: o, site: o, setup: o, token: o, identity: o }],
  [runHandler, /*       */ { versions: o, data: o, custom: x, site: x, setup: o, token: o, identity: o }],
  [setupTarget, /*      */ { versions: o, data: o, custom: o, site: o, setup: x, token: o, identity: o }],
  [dispatchSetup, /*    */ { versions: o, data: o, custom: o, site: o, setup: x, token: o, identity: o }],
  [listVersions, /*     */ { versions: x, data: o, custom: o, site: o, setup: o, token: o, identity: o }],
  [tokenEndpoint, /*    */ { versions: o, data: o, custom: o, site: o, setup: o, token: x, identity: o }],
  [identity, /*         */ { versions: o, data: o, custom: o, site: o, setup: o, token: o, identity: x }],
]

/** Doors that share no more than the reading of bodies. */
const OWN: Readonly<Record<OwnDoor, readonly Stage[]>> = {
  revoke: [checkUriLength, receiveBody, unpackBody, revocation],
  introspect: [checkUriLength, receiveBody, unpackBody, introspection],
  userinfo: [checkUriLength, userinfo],
  keys: [checkUriLength, signingKeys],
  discovery: [checkUriLength, discovery],
}

const hasOwn = (door: Door): door is OwnDoor => Object.hasOwn(OWN, door)

/** Stages that carry a call out. */
const WORK: readonly Stage[] = [receiveDelivery, dispatchCall, runHandler]

/**
 * The stages of a door, the first to run first.
 * @param faults whether failures may be rehearsed
 */
export function stagesOf(door: Door, faults: boolean): readonly Stage[] {
  if (hasOwn(door)) return OWN[door]
  const stages = TABLE.filter(([, doors]) => doors[door]).map(([stage]) => stage)
  if (!faults) return stages.filter((stage) => stage !== meetFaults && stage !== sufferFaults)
  return stages.map((stage) => (WORK.includes(stage) ? cutAfterwards(stage) : stage))
}
