import { ApiError } from '../base/api-error.ts'
import type { Field } from '../schema/field.ts'
import type { ObjectType } from '../schema/object-type.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import type { FieldPath } from './field-path.ts'
import type { FieldRef, Source } from './plan.ts'
import { explanations, refusal } from './refusal.ts'
import type { Query } from './tree.ts'

/** How many references a path may follow. (contract/soql 3.2) */
const MOST_PARENT_LEVELS = 5
/** How many different parents a query may use. */
const MOST_PARENTS = 55

/** What the names of one query mean. Grows a source for each parent that is used. */
export class Scope {
  readonly text: string
  readonly root: Source
  readonly #schema: SchemaSnapshot
  readonly #sources: [Source, ...Source[]]
  readonly #parents = new Map<string, Source>()
  /** Aliases of the FROM list, in lower case. */
  readonly #aliases = new Map<string, Source>()

  constructor(query: Query, schema: SchemaSnapshot) {
    this.text = query.text
    this.#schema = schema
    const { object: name, alias } = query.from
    const object = schema.object(name.text)
    if (object === undefined) {
      throw refusal('INVALID_TYPE', query.text, name.at, explanations.noSuchObject(name.text))
    }
    this.root = { alias: 't0', object }
    this.#sources = [this.root]
    this.#aliases.set(object.name.toLowerCase(), this.root)
    if (alias !== undefined) this.#aliases.set(alias.text.toLowerCase(), this.root)
    for (const { path, alias: pathAlias } of query.fromPaths) {
      const source = this.#follow(path, path.segments)
      if (pathAlias !== undefined) this.#aliases.set(pathAlias.text.toLowerCase(), source)
    }
  }

  get sources(): readonly [Source, ...Source[]] {
    return this.#sources
  }

  /** The field that a path means, and the source that it belongs to. */
  resolve(path: FieldPath): FieldRef {
    const source = this.#follow(path, path.segments.slice(0, -1))
    const name = path.segments.at(-1)!
    return { source, field: this.#fieldOf(source.object, name, path) }
  }

  /** The sources that a path passes through, the queried object first. */
  chain(source: Source): Source[] {
    return source.via === undefined ? [source] : [...this.chain(source.via.source), source]
  }

  #fieldOf(object: ObjectType, name: string, path: FieldPath): Field {
    const field = object.field(name)
    if (field === undefined) {
      throw refusal('INVALID_FIELD', this.text, path.at, explanations.noSuchColumn(name, object.name))
    }
    return field
  }

  #follow(path: FieldPath, segments: readonly string[]): Source {
    const prefix = segments[0] === undefined ? undefined : this.#aliases.get(segments[0].toLowerCase())
    let source = prefix ?? this.root
    const relationships = prefix === undefined ? segments : segments.slice(1)
    for (const name of relationships) source = this.#parent(source, name, path)
    return source
  }

  #parent(from: Source, name: string, path: FieldPath): Source {
    const field = from.object.parent(name)
    const target = field === undefined ? undefined : this.#schema.object(field.referenceTo[0]!)
    if (field === undefined || target === undefined) {
      throw refusal('INVALID_FIELD', this.text, path.at, explanations.noSuchRelationship(name))
    }
    if (field.referenceTo.length > 1) {
      throw new ApiError(
        'MALFORMED_QUERY',
        `The relationship ${field.definition.relationship} leads to several objects: this is not supported yet`,
      )
    }
    const key = `${from.alias}.${field.name}`
    let source = this.#parents.get(key)
    if (source === undefined) {
      source = { alias: `t${this.#sources.length}`, object: target, via: { source: from, field } }
      if (this.chain(source).length - 1 > MOST_PARENT_LEVELS) {
        throw refusal(
          'INVALID_FIELD',
          this.text,
          path.at,
          `A field path may follow at most ${MOST_PARENT_LEVELS} relationships`,
        )
      }
      if (this.#parents.size >= MOST_PARENTS) {
        throw new ApiError(
          'QUERY_TOO_COMPLICATED',
          `A query may use at most ${MOST_PARENTS} parent relationships`,
        )
      }
      this.#parents.set(key, source)
      this.#sources.push(source)
    }
    return source
  }
}
