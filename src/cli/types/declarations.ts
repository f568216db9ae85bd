import { findDescribedType } from '../../schema/fields/registry.ts'

/** A field of a describe, as far as its declaration needs it. */
interface DescribedField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly nillable: boolean
}

export interface DescribedObject {
  readonly name: string
  readonly label: string
  readonly fields: readonly DescribedField[]
}

/** A compound field is null without parts, whatever its describe says. */
function formatType({ type, nillable }: DescribedField): string {
  const { typescript = 'string', makeParts } = findDescribedType(type) ?? {}
  return nillable || makeParts !== undefined ? `${typescript} | null` : typescript
}

/** A label may hold anything; the end of a comment it may not. */
const comment = (label: string) => `/** ${label.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */`

function declareObject({ name, label, fields }: DescribedObject): string {
  const members = fields.map((field) => `  ${comment(field.label)}\n  ${field.name}: ${formatType(field)}`)
  return `${comment(label)}\nexport interface ${name} {\n${members.join('\n')}\n}\n`
}

const HEAD = `// Made by "objectry types" from the schema of the org. Make it anew when the schema changes.

export interface Address {
  city: string | null
  country: string | null
  geocodeAccuracy: string | null
  latitude: number | null
  longitude: number | null
  postalCode: string | null
  state: string | null
  street: string | null
}

export interface Location {
  latitude: number
  longitude: number
}
`

const FOOT = `interface Refusable<R> {
  /** Refuses the record; the others of the list are written without it. */
  addError(message: string): void
  addError(field: keyof R & string, message: string): void
}

interface BeforeInsert<R> extends Refusable<R> {
  /** What is set here is written. */
  readonly record: R
}
interface AfterInsert<R> extends Refusable<R> {
  readonly record: Readonly<R>
}
interface BeforeUpdate<R> extends BeforeInsert<R> {
  readonly old: Readonly<R>
}
interface AfterUpdate<R> extends AfterInsert<R> {
  readonly old: Readonly<R>
}
interface Delete<R> extends Refusable<R> {
  readonly old: Readonly<R>
}

export interface WriteOptions {
  /** Default true: when one record is refused nothing is written, and the first error is thrown. */
  allOrNone?: boolean
}

export interface WriteResult {
  readonly id?: string
  readonly success: boolean
  readonly created?: boolean
  readonly errors: readonly { readonly message: string; readonly errorCode: string; readonly fields: readonly string[] }[]
}

/** The org as deployed code sees it: lists in, lists out, under the caller's name and in the transaction of the call. */
export interface Org {
  readonly userId: string
  /** All records of a query, 50,000 at most. A \`:name\` in it stands for one of the values, whatever that holds. */
  query<R = Record<string, unknown>>(soql: string, values?: Readonly<Record<string, unknown>>): Promise<R[]>
  /** One record by id, or by the value of a key: \`{ ExternalId__c: '7' }\`; undefined: there is none. */
  read<O extends keyof Objects>(object: O, key: string | Partial<Objects[O]>, fields?: readonly (keyof Objects[O] & string)[]): Promise<Objects[O] | undefined>
  create<O extends keyof Objects>(object: O, records: readonly Partial<Objects[O]>[], options?: WriteOptions): Promise<WriteResult[]>
  update<O extends keyof Objects>(object: O, records: readonly (Partial<Objects[O]> & { Id: string })[], options?: WriteOptions): Promise<WriteResult[]>
  upsert<O extends keyof Objects>(object: O, key: keyof Objects[O] & string, records: readonly Partial<Objects[O]>[], options?: WriteOptions): Promise<WriteResult[]>
  delete(object: keyof Objects, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
  /** Brings records back from the recycle bin, with what went with them. */
  undelete(object: keyof Objects, ids: readonly string[], options?: WriteOptions): Promise<WriteResult[]>
  /** Has a job run once the transaction is committed. Gives the id of its record, a BackgroundJob. */
  enqueue(job: string, payload?: unknown, options?: { delaySeconds?: number }): Promise<string>
  /** Writes a line into the server's log. */
  log(message: unknown): Promise<void>
}

type Handler<Change> = (changes: readonly Change[], org: Org) => void | Promise<void>

/** What a file of the folder "triggers" exports: \`export default { ... } satisfies Trigger<'Account'>\`. */
export interface Trigger<O extends keyof Objects> {
  object: O
  beforeInsert?: Handler<BeforeInsert<Objects[O]>>
  afterInsert?: Handler<AfterInsert<Objects[O]>>
  beforeUpdate?: Handler<BeforeUpdate<Objects[O]>>
  afterUpdate?: Handler<AfterUpdate<Objects[O]>>
  beforeDelete?: Handler<Delete<Objects[O]>>
  afterDelete?: Handler<Delete<Objects[O]>>
  afterUndelete?: Handler<AfterInsert<Objects[O]>>
}
`

const RESOURCES = `/** What a handler of a custom resource is handed. */
export interface Request {
  readonly method: string
  /** Below /services/customrest. */
  readonly path: string
  /** The ":names" of the resource's path; what stands for "*" is under that name. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly bytes: Uint8Array
  /** Its JSON; undefined when there is none. */
  readonly body: any
}

type Verb = (request: Request, org: Org) => unknown

/** What a file of the folder "resources" exports: \`export default { ... } satisfies Resource\`. */
export interface Resource {
  /** Below /services/customrest: "/contacts/:id" or "/contacts/*". */
  path: string
  GET?: Verb
  POST?: Verb
  PUT?: Verb
  PATCH?: Verb
  DELETE?: Verb
  /** How long a handler may take, default 30. */
  seconds?: number
  /** false: each operation is committed by itself. */
  transaction?: boolean
  /** Content types of bodies, default JSON and XML; "*" takes any. */
  types?: readonly string[]
  /** Largest body in bytes; a larger one is 413. */
  maxBytes?: number
}

/** What a file of the folder "jobs" exports: \`export default { ... } satisfies Job<MyPayload>\`. */
export interface Job<Payload = any> {
  run(payload: Payload, org: Org, run: { readonly id: string; readonly job: string; readonly queuedAt: string; readonly attempts: number; readonly isReplay: boolean }): unknown
  /** When it runs by itself: minute, hour, day, month, weekday. */
  cron?: string
  /** Default UTC. */
  timeZone?: string
  /** Whose permissions it has, by username; default those of whoever enqueued it. */
  runAs?: string
  /** How long a run may take, default 300. */
  seconds?: number
  /** Seconds to wait after each failed attempt. */
  retries?: readonly number[]
  /** false: each operation is committed by itself. */
  transaction?: boolean
}
`

const RULES = `/** What a file "objects/<Object>.ts" exports: \`export default { ... } satisfies Rules<'Account'>\`. */
export interface Rules<O extends keyof Objects, Loaded = any> {
  /** Runs once for each list of records; what it gives is handed to every function below. */
  load?(records: readonly Readonly<Objects[O]>[], org: Org): Loaded | Promise<Loaded>
  /** By computed field what it holds. */
  computed?: { [F in keyof Objects[O]]?: (record: Readonly<Objects[O]>, loaded: Awaited<Loaded>) => Objects[O][F] | undefined }
  validations?: Record<string, {
    /** True: the record is refused. "old" is absent when it is new. */
    refuse(record: Readonly<Objects[O]>, old: Readonly<Objects[O]> | undefined, loaded: Awaited<Loaded>): boolean
    message: string | ((record: Readonly<Objects[O]>, old: Readonly<Objects[O]> | undefined, loaded: Awaited<Loaded>) => string)
    /** The field that the message is about. */
    field?: keyof Objects[O] & string
  }>
}
`

/** TypeScript declarations of an org's objects, and of the code that may be written for them. */
export function makeDeclarations(objects: readonly DescribedObject[]): string {
  const members = objects.map(({ name }) => `  ${name}: ${name}`)
  const all = `/** All objects of the org by name. */\nexport interface Objects {\n${members.join('\n')}\n}\n`
  return [HEAD, ...objects.map(declareObject), all, FOOT, RULES, RESOURCES].join('\n')
}
