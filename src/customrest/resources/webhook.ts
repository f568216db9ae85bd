import { readRetries } from '../../scripting/jobs/job-file.ts'
import { ShapeOfFile } from '../../scripting/shape-of-file.ts'
import { isFunction } from '../../scripting/threads/messages.ts'
import { SCHEMES, type SchemeName } from './verify-signature.ts'

const MEMBERS = [
  'secret',
  'eventId',
  'object',
  'key',
  'record',
  'process',
  'signature',
  'runAs',
  'retries',
  'seconds',
  'maxBytes',
  'perSecond',
] as const

const EXAMPLE =
  "export default webhook({ path: '/github', secret: process.env.GITHUB_SECRET, eventId: 'id', object: 'GitHub_Event__c' })"

/** Default delays between attempts in seconds: about a day and a half in total. */
const RETRIES = [5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600]

/** Maximum time limit of processing. */
const MAX_SECONDS = 600
const DEFAULT_SECONDS = 60

/** Default maximum size of a body. */
const DEFAULT_BYTES = 25 * 1024 * 1024

/** The definition of a receiver. (docs/reference/api/custom-resources.md#webhooks) */
export interface Webhook {
  readonly scheme: SchemeName
  /** One secret, or two during a rotation. */
  readonly secrets: readonly string[]
  /** Path of the event id in its JSON, or `function` when a function returns it; undefined when there is none. */
  readonly eventId: readonly string[] | 'function' | undefined
  readonly object: string
  readonly key: string | undefined
  /** Which functions the file has. */
  readonly hasRecord: boolean
  readonly hasProcess: boolean
  readonly runAs: string | undefined
  /** Seconds to wait after each failed attempt. */
  readonly retries: readonly number[]
  readonly seconds: number
  readonly maxBytes: number
  readonly perSecond: number | undefined
}

function readSecrets(shape: ShapeOfFile): readonly string[] {
  const given = shape.value('secret')
  const list = Array.isArray(given) ? given : [given]
  const secrets = list.filter((one) => one !== undefined && one !== null && one !== '')
  if (secrets.length === 0) {
    throw shape.wrong('has no secret; is the variable of the environment set that it is to come from?')
  }
  if (secrets.length > 2) throw shape.wrong('has more than two secrets')
  if (secrets.every((one) => typeof one === 'string')) return secrets
  throw shape.wrong('has a secret that is no text')
}

function readScheme(shape: ShapeOfFile): SchemeName {
  const name = shape.text('signature') ?? 'hub'
  if (Object.hasOwn(SCHEMES, name)) return name as SchemeName
  throw shape.wrong(`has the signature ${name}, which is none of ${Object.keys(SCHEMES).join(', ')}`)
}

function readEventId(shape: ShapeOfFile): Webhook['eventId'] {
  const given = shape.value('eventId')
  if (isFunction(given)) return 'function'
  return shape.text('eventId')?.split('.')
}

/**
 * @param where for messages: `The resource /deployment/resources/github.ts`
 * @throws Error with the problem and a correct form
 */
export function readWebhook(where: string, exported: unknown): Webhook {
  const shape = new ShapeOfFile(where, exported, MEMBERS, EXAMPLE)
  return {
    scheme: readScheme(shape),
    secrets: readSecrets(shape),
    eventId: readEventId(shape),
    object: shape.required('object', "'GitHub_Event__c'"),
    key: shape.text('key'),
    hasRecord: shape.isFunction('record'),
    hasProcess: shape.isFunction('process'),
    runAs: shape.text('runAs'),
    retries: readRetries(shape, RETRIES),
    seconds: shape.number('seconds', 0.1, MAX_SECONDS) ?? DEFAULT_SECONDS,
    maxBytes: shape.number('maxBytes', 1, 2 ** 31) ?? DEFAULT_BYTES,
    perSecond: shape.number('perSecond', 1, 1_000_000),
  }
}
