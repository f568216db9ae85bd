import { parse } from 'node:path'
import { ShapeOfFile } from '../../scripting/shape-of-file.ts'
import type { LoadedModule } from '../../scripting/threads/messages.ts'
import { readWebhook, type Webhook } from './webhook.ts'

/** The verbs that a resource may have. (docs/reference/api/custom-resources.md#verbs (line 6), docs/reference/api/custom-resources.md#requests (line 14)) */
export const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Verb = (typeof VERBS)[number]

/** Longest time that a handler may take, and what it may without saying so, in seconds. */
const MAX_SECONDS = 600
const DEFAULT_SECONDS = 30

/** What handlers are sent without saying so. (docs/reference/api/custom-resources.md#verbs (line 6), docs/reference/api/custom-resources.md#requests (line 14)) */
const DEFAULT_TYPES = ['application/json', 'application/xml', 'text/xml']

const EXAMPLE = "export default { path: '/hello', GET(request, org) { return { hello: 'world' } } }"

/** A custom resource: a file of the folder `resources` of the deployment, without its functions. */
export interface Resource {
  /** The file's name without its ending: what access is granted to. */
  readonly name: string
  readonly file: string
  /** Below `/services/customrest`: segments, `:names`, and perhaps `/*` at the end. */
  readonly path: string
  /** Empty for a receiver. */
  readonly verbs: readonly Verb[]
  /** How long a handler may take. */
  readonly seconds: number
  /** Whether each operation of a handler is committed by itself. */
  readonly alone: boolean
  /** Content types that bodies may have, in lower case; a `*` takes any. */
  readonly types: readonly string[]
  /** Largest body, unpacked; undefined: what the door takes. */
  readonly maxBytes: number | undefined
  /** It receives signed deliveries. */
  readonly webhook?: Webhook
}

const PATH = /^(?:\/(?:[\w.~-]+|:[A-Za-z_]\w*))*(?:\/\*)?$/

function readPath(shape: ShapeOfFile): string {
  const path = shape.required('path', "'/hello'")
  if (path.length > 1 && PATH.test(path)) return path
  throw shape.wrong(
    `has the path ${path}; write segments and :names after slashes, like /contacts/:id or /contacts/*`,
  )
}

function readTypes(shape: ShapeOfFile): readonly string[] {
  return (shape.list('types') ?? DEFAULT_TYPES).map((type) => {
    if (typeof type === 'string') return type.toLowerCase()
    throw shape.wrong('has types that are no texts')
  })
}

/**
 * The resource that a file exports as its default.
 * @throws Error that says what to write instead
 */
export function readResource({ file, shape: exported }: LoadedModule): Resource {
  const where = `The resource ${file}`
  const isWebhook = typeof exported === 'object' && exported !== null && 'webhook' in exported
  const known = isWebhook
    ? ['path', 'webhook']
    : ['path', ...VERBS, 'seconds', 'transaction', 'types', 'maxBytes']
  const shape = new ShapeOfFile(where, exported, known, EXAMPLE)
  const resource = { name: parse(file).name, file, path: readPath(shape) }
  if (isWebhook) {
    const webhook = readWebhook(where, shape.value('webhook'))
    const { seconds, maxBytes } = webhook
    return { ...resource, verbs: ['POST'], seconds, alone: false, types: ['*'], maxBytes, webhook }
  }
  const verbs = VERBS.filter((verb) => shape.isFunction(verb))
  if (verbs.length === 0) throw shape.wrong(`does nothing; it may have ${VERBS.join(', ')}`)
  return {
    ...resource,
    verbs,
    seconds: shape.number('seconds', 0.1, MAX_SECONDS) ?? DEFAULT_SECONDS,
    alone: shape.flag('transaction') === false,
    types: readTypes(shape),
    maxBytes: shape.number('maxBytes', 1, 2 ** 31),
  }
}
