import { parse } from 'node:path'
import { ShapeOfFile } from '../../scripting/shape-of-file.ts'
import type { LoadedModule } from '../../scripting/threads/messages.ts'
import { readWebhook, type Webhook } from './webhook.ts'

/**
 * The verbs that a resource may have. (docs/reference/api/custom-resources.md#verbs,
 * docs/reference/api/custom-resources.md#requests)
 */
export const VERBS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Verb = (typeof VERBS)[number]

/** Maximum and default time limit of a handler. */
const MAX_SECONDS = 600
const DEFAULT_SECONDS = 30

/**
 * Default content types of bodies. (docs/reference/api/custom-resources.md#verbs,
 * docs/reference/api/custom-resources.md#requests)
 */
const DEFAULT_TYPES = ['application/json', 'application/xml', 'text/xml']

const EXAMPLE = "export default { path: '/hello', GET(request, org) { return { hello: 'world' } } }"

/** A custom resource: a file in the folder `resources` of the deployment, without its functions. */
export interface Resource {
  /** File name without extension. Grants name it. */
  readonly name: string
  readonly file: string
  /** Below `/services/customrest`: segments, `:names`, and perhaps `/*` at the end. */
  readonly path: string
  /** Empty for a receiver. */
  readonly verbs: readonly Verb[]
  /** Time limit of a handler in seconds. */
  readonly seconds: number
  /** True if each operation of a handler is committed separately. */
  readonly alone: boolean
  /** Allowed content types of bodies in lower case; `*` allows any. */
  readonly types: readonly string[]
  /** Maximum decompressed body in bytes; undefined for the limit of the entry point. */
  readonly maxBytes: number | undefined
  /** Present when it receives signed deliveries. */
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
 * Checks and returns the resource that a file exports as its default.
 * @throws Error with the problem and a correct form
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
