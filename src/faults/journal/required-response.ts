import { isPageRoute, TOKEN_ROUTE } from '../log-ins/log-in-routes.ts'
import type { JournalEntry } from './journal-entry.ts'

/** A client that repeats a refused call sooner does not back off. */
const BACK_OFF_MS = 1000

/** How a client reacted to an error, and how it should have. (docs/reference/api/limits-and-versions.md#client-behavior) */
export interface Judged {
  /** The required reaction. */
  readonly required: string
  readonly isMet: boolean
  /** The observed reaction. */
  readonly did: string
}

/** Calls of the same app that began after a call had ended. */
export type Later = readonly JournalEntry[]

const met = (did: string) => ({ isMet: true, did })
const missed = (did: string) => ({ isMet: false, did })

const isSame = (call: JournalEntry) => (other: JournalEntry) =>
  other.kind === 'call' && other.sameness === call.sameness

type Verdict = Omit<Judged, 'required'>

function signsInAgain(call: JournalEntry, later: Later): Verdict {
  const token = later.findIndex(({ kind }) => kind === 'token')
  const repeated = later.findIndex(isSame(call))
  if (token < 0) return missed(repeated < 0 ? 'asked for no new token' : 'sent it again with the old token')
  const again = later.slice(token).find(isSame(call))
  return again === undefined
    ? missed('got a new token and did not send it again')
    : met('got a new token and sent it again')
}

function backsOff(call: JournalEntry, later: Later): Verdict {
  const next = later.find(({ kind }) => kind === 'call')
  if (next === undefined) return met('called no more')
  const pause = Math.round(next.beganAt - (call.beganAt + call.milliseconds))
  return pause < BACK_OFF_MS
    ? missed(`called again after ${pause} ms`)
    : met(`called again after ${(pause / 1000).toFixed(1)} s`)
}

/** A CometD client that is not known any more has lost its channels too. */
function beginsAgain(_call: JournalEntry, later: Later): Verdict {
  const handshake = later.findIndex(({ route }) => route === '/cometd/handshake')
  if (handshake < 0) return missed('made no handshake')
  const isSubscribed = later.slice(handshake).some(({ route }) => route === '/cometd/subscribe')
  return isSubscribed
    ? met('made a handshake and subscribed')
    : missed('made a handshake and did not subscribe')
}

function movesOn(call: JournalEntry, later: Later): Verdict {
  if (later.some(isSame(call))) return missed('sent it again in the same version')
  const isMoved = (other: JournalEntry) => other.samenessInAnyVersion === call.samenessInAnyVersion
  return later.some(isMoved) ? met('sent it in another version') : missed('sent it in no other version')
}

function isMended(call: JournalEntry, later: Later): Verdict {
  return later.some(isSame(call)) ? missed('sent the same again') : met('did not send the same again')
}

/** Repeating a read or a delete does no harm; a write may have been carried out although its response was lost. */
function isRepeatable(call: JournalEntry, later: Later): Verdict {
  const again = later.some(isSame(call))
  if (!again) return met('did not send it again')
  return call.method === 'POST' ? missed('sent a write again that may have been done') : met('sent it again')
}

interface Rule {
  readonly holds: (call: JournalEntry) => boolean
  readonly required: string
  readonly judge: (call: JournalEntry, later: Later) => Verdict
}

/** The rules in order of precedence; the first that holds decides. */
const RULES: readonly Rule[] = [
  {
    // The 401 of a webhook concerns its signature.
    holds: ({ code }) => code === 'INVALID_SESSION_ID',
    required: 're-authenticate and send it again',
    judge: signsInAgain,
  },
  { holds: ({ code }) => code === 'REQUEST_LIMIT_EXCEEDED', required: 'back off', judge: backsOff },
  {
    holds: ({ code }) => code === 'UNKNOWN_CLIENT',
    required: 'make a handshake and subscribe again',
    judge: beginsAgain,
  },
  { holds: ({ status }) => status === 410, required: 'move to a supported version', judge: movesOn },
  { holds: ({ status }) => status === 300, required: 'fix the key', judge: isMended },
  {
    holds: ({ code }) => code === 'BATCH_PROCESSING_HALTED',
    required: 'fix the failing subrequest and resend the rest',
    judge: isMended,
  },
  { holds: ({ code }) => code === 'rate_limit_exceeded', required: 'back off', judge: backsOff },
  {
    // Another token does no harm.
    holds: ({ code, route, status }) =>
      code === 'UNABLE_TO_LOCK_ROW' ||
      (route === TOKEN_ROUTE && (status === 0 || status === 420 || status >= 500)),
    required: 'send it again, or give up',
    judge: (call, later) => met(later.some(isSame(call)) ? 'sent it again' : 'did not send it again'),
  },
  { holds: ({ status }) => status === 403, required: 'grant access', judge: isMended },
  {
    holds: ({ status }) => status === 0 || status === 420 || status >= 500,
    required: 'send it again only if it does no harm',
    judge: isRepeatable,
  },
  { holds: ({ status }) => status >= 400, required: 'fix the call', judge: isMended },
  { holds: ({ code }) => code !== '', required: "inspect the subrequest's body", judge: isMended },
]

/** Undefined if the call did not fail. */
export function judge(call: JournalEntry, later: Later): Judged | undefined {
  // Who is in front of a page is no client.
  if (isPageRoute(call.route)) return undefined
  const rule = call.kind === 'call' ? RULES.find(({ holds }) => holds(call)) : undefined
  return rule && { required: rule.required, ...rule.judge(call, later) }
}
