import { isOpenToAll } from '../../access/sharing.ts'
import { ApiError } from '../../base/api-error.ts'
import type { ApiVersion } from '../../base/api-version.ts'
import { type Field, type ParentStep, parentKey } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type { FieldPath, Name } from '../parse/function-call.ts'
import { explanations, queryError } from '../parse/query-error.ts'
import type { FieldRef, Source } from '../plan/plan.ts'
import type { Slots } from '../plan/slot.ts'

/** Maximum number of references that a path may follow. (docs/reference/api/queries.md#parents) */
export const MAX_PARENT_LEVELS = 5
/** Maximum number of different parents in a query. */
const MAX_PARENTS = 55
/** Parents that are joined for formulas as long as a query has no more sources; others are read by subqueries. */
const MAX_FORMULA_SOURCES = 40
/** Maximum number of objects behind all references to several ones: each is a table of the statement. */
const MAX_PARENT_OBJECTS = 1000

/** State that all scopes of one statement share. */
export interface Statement {
  readonly text: string
  /** Of a plan for all queries that differ in some values only. */
  readonly slots?: Slots | undefined
  readonly schema: SchemaSnapshot
  readonly version: ApiVersion
  /** Returns the next unused alias. */
  nextAlias(): string
  /** A copy that continues from the current alias. */
  fork(): Statement
}

/**
 * @param text of the query; empty where there is none
 * @param options.used number of aliases already in use
 */
export function makeStatement(
  text: string,
  schema: SchemaSnapshot,
  version: ApiVersion,
  { slots, used = 0 }: { readonly slots?: Slots | undefined; readonly used?: number } = {},
): Statement {
  let next = used
  return {
    text,
    slots,
    schema,
    version,
    nextAlias: () => `t${next++}`,
    fork: () => makeStatement(text, schema, version, { slots, used: next }),
  }
}

/** Resolves the names of one SELECT. Adds a source for each parent that is used. */
export class Scope {
  readonly statement: Statement
  readonly root: Source
  readonly #isCopy: boolean
  readonly #sources: [Source, ...Source[]]
  readonly #parents: Map<string, Source>
  /** Aliases of the FROM list, in lower case. */
  readonly #aliases = new Map<string, Source>()

  /**
   * @param names aliases of the object
   * @param known a scope to copy the sources from
   */
  constructor(
    statement: Statement,
    object: ObjectType,
    names: readonly (Name | undefined)[] = [],
    known?: Scope,
  ) {
    this.statement = statement
    this.#isCopy = known !== undefined
    this.root = known?.root ?? this.#makeSource(object)
    this.#sources = known === undefined ? [this.root] : [...known.#sources]
    this.#parents = known === undefined ? new Map() : new Map(known.#parents)
    this.#aliases.set(object.name.toLowerCase(), this.root)
    for (const name of names) if (name !== undefined) this.#aliases.set(name.text.toLowerCase(), this.root)
  }

  /** A copy with the same sources that can add its own: for a cached selection with new arguments. */
  fork(statement: Statement): Scope {
    return new Scope(statement, this.root.object, [], this)
  }

  get sources(): readonly [Source, ...Source[]] {
    return this.#sources
  }

  get text(): string {
    return this.statement.text
  }

  /** Gives a parent path an alias: `FROM Contact c, c.Account a`. */
  addAlias(path: FieldPath, alias: Name | undefined): void {
    const source = this.#follow(path, path.segments)
    if (alias !== undefined) this.#aliases.set(alias.text.toLowerCase(), source)
  }

  /** Resolves a path to a field and its source. */
  resolve(path: FieldPath): FieldRef {
    const source = this.#follow(path, path.segments.slice(0, -1))
    return { source, field: this.getField(source, path.segments.at(-1)!, path.at) }
  }

  /**
   * True if a path leads from the queried object by a name that is no relationship of it: `UserRecordAccess.HasEditAccess`,
   * `a.UserRecordAccess.HasEditAccess`.
   */
  isBeside({ segments }: FieldPath, name: string): boolean {
    const [first, ...rest] = segments.slice(0, -1).map((segment) => segment.toLowerCase())
    const prefix = first === undefined ? undefined : this.#aliases.get(first)
    const way = prefix === this.root ? rest : prefix === undefined ? [first, ...rest] : []
    return way.length === 1 && way[0] === name.toLowerCase() && this.root.object.parent(name) === undefined
  }

  /** A field of a source by name. */
  getField(source: Source, name: string, at: number): Field {
    const field = source.object.field(name)
    if (field !== undefined) this.joinFormulaParents(source, field)
    if (field === undefined) {
      throw queryError('INVALID_FIELD', this.text, at, explanations.noSuchColumn(name, source.object.name))
    }
    return field
  }

  /** Joins the parents that a formula reads, each once. Parents that are not joined are read by subqueries. */
  joinFormulaParents(source: Source, { formula }: Field): void {
    // The sources of a copied scope belong to other queries too.
    if (formula === undefined || this.#isCopy) return
    for (const way of formula.parents) {
      let from: Source | undefined = source
      for (const step of way) from = from && this.#joinFormulaParent(from, step)
    }
  }

  #joinFormulaParent(from: Source, { reference, object: name }: ParentStep): Source | undefined {
    const key = parentKey(reference.name, name)
    const known = from.formulaParents.get(key)
    const object = this.statement.schema.object(name)
    if (known !== undefined || object === undefined || this.#sources.length > MAX_FORMULA_SOURCES)
      return known
    const via = { source: from, field: reference }
    // Where everybody sees all records, the query's own paths lead to the same source.
    const source = isOpenToAll(object)
      ? this.joinParentAs(via, object)
      : this.#makeSource(unrestricted(object), via, true)
    if (source.isSystem === true) this.#sources.push(source)
    from.formulaParents.set(key, source)
    return source
  }

  #makeSource(object: ObjectType, via?: FieldRef, isSystem = false): Source {
    return {
      alias: this.statement.nextAlias(),
      object,
      ...(via !== undefined && { via, isOptional: true }),
      ...(isSystem && { isSystem }),
      formulaParents: new Map(),
    }
  }

  /** Resolves a path whose last segment is a relationship, as TYPEOF has it, to the reference. */
  resolveRelationship(path: FieldPath): FieldRef {
    const source = this.#follow(path, path.segments.slice(0, -1))
    return { source, field: this.#reference(source, path.segments.at(-1)!, path.at) }
  }

  /** Resolves a path relative to a source instead of the queried object. */
  resolveFrom(source: Source, path: FieldPath): FieldRef {
    let at = source
    for (const name of path.segments.slice(0, -1)) at = this.#parent(at, name, path.at)
    return { source: at, field: this.getField(at, path.segments.at(-1)!, path.at) }
  }

  /** Joins the parent behind a reference, as one of the objects that it may point to. */
  joinParentAs(via: FieldRef, object: ObjectType): Source {
    return this.#join(`${via.source.alias}.${via.field.name}.${object.name}`, () =>
      this.#makeSource(object, via),
    )
  }

  /** Joins the parent behind a reference; for a polymorphic one, the Name entity. */
  joinParent(via: FieldRef, at: number): Source {
    const { field } = via
    const targets = field.referenceTo.map((name) => this.statement.schema.object(name))
    const known = targets.filter((target): target is ObjectType => target !== undefined)
    if (known.length === 0) {
      throw queryError(
        'INVALID_FIELD',
        this.text,
        at,
        explanations.noSuchRelationship(field.definition.relationship!),
      )
    }
    if (field.referenceTo.length === 1) return this.joinParentAs(via, known[0]!)
    return this.#join(`${via.source.alias}.${field.name}`, () => {
      this.#checkObjects(known.length)
      return { ...this.#makeSource(NAME_ENTITY, via), targets: known }
    })
  }

  /** Attachments, notes and files may belong to all custom objects of an org. */
  #checkObjects(more: number): void {
    const count = this.#sources.reduce((sum, { targets }) => sum + (targets?.length ?? 0), more)
    if (count <= MAX_PARENT_OBJECTS) return
    throw new ApiError(
      'QUERY_TOO_COMPLICATED',
      `The parents of a query may be of at most ${MAX_PARENT_OBJECTS} objects: name one of them in TYPEOF`,
    )
  }

  /** The sources from the queried object to this one. */
  getChain(source: Source): Source[] {
    return source.via === undefined ? [source] : [...this.getChain(source.via.source), source]
  }

  #reference(from: Source, name: string, at: number): Field {
    const field = from.object.parent(name)
    if (field === undefined) {
      throw queryError('INVALID_FIELD', this.text, at, explanations.noSuchRelationship(name))
    }
    return field
  }

  #follow(path: FieldPath, segments: readonly string[]): Source {
    const prefix = segments[0] === undefined ? undefined : this.#aliases.get(segments[0].toLowerCase())
    let source = prefix ?? this.root
    const relationships = prefix === undefined ? segments : segments.slice(1)
    for (const name of relationships) source = this.#parent(source, name, path.at)
    return source
  }

  #parent(from: Source, name: string, at: number): Source {
    const source = this.joinParent({ source: from, field: this.#reference(from, name, at) }, at)
    if (this.getChain(source).length - 1 > MAX_PARENT_LEVELS) {
      const explanation = `A field path may follow at most ${MAX_PARENT_LEVELS} relationships`
      throw queryError('INVALID_FIELD', this.text, at, explanation)
    }
    return source
  }

  #join(key: string, make: () => Source): Source {
    let source = this.#parents.get(key)
    if (source === undefined) {
      if (this.#parents.size >= MAX_PARENTS) {
        throw new ApiError(
          'QUERY_TOO_COMPLICATED',
          `A query may use at most ${MAX_PARENTS} parent relationships`,
        )
      }
      source = make()
      this.#parents.set(key, source)
      this.#sources.push(source)
    }
    return source
  }
}
