import { getOrInsert } from '../../../base/get-or-insert.ts'
import { drain } from '../../../base/run-in-slices.ts'
import type { XmlElement } from '../../../xml/xml-element.ts'

type ByName = ReadonlyMap<string, readonly XmlElement[]>

const groupChildren = ({ children }: XmlElement): ByName => {
  const groups = new Map<string, XmlElement[]>()
  for (const child of children) getOrInsert(groups, child.name, () => []).push(child)
  return groups
}

/** Children are compared by name: which of two names comes first says nothing. Takes a pause after each element. */
function* areEqual(first: readonly XmlElement[], second: readonly XmlElement[]): Generator<void, boolean> {
  if (first.length !== second.length) return false
  for (const [at, one] of first.entries()) {
    yield
    const other = second[at]!
    if (one.text !== other.text || one.children.length !== other.children.length) return false
    const others = groupChildren(other)
    for (const [name, children] of groupChildren(one))
      if (!(yield* areEqual(children, others.get(name) ?? []))) return false
  }
  return true
}

const NO_GROUPS: ByName = new Map()
const NO_ELEMENTS: readonly MetadataElement[] = []

const withChildren = (children: readonly XmlElement[]): XmlElement => ({
  uri: '',
  name: '',
  children,
  text: '',
  isNil: false,
  at: 0,
})

/**
 * An element of a metadata file. It records which children were read, so that an import can note the others.
 */
export class MetadataElement {
  readonly #parsed: XmlElement
  #requested: Map<string, readonly MetadataElement[]> | undefined
  #groups: ByName | undefined

  constructor(parsed: XmlElement) {
    this.#parsed = parsed
  }

  /** An element with the children of all of them. */
  static join(elements: readonly MetadataElement[]): MetadataElement {
    return new MetadataElement(withChildren(elements.flatMap((element) => element.#parsed.children)))
  }

  /** An element with the children of all; of those with the same name those of the last that has any. */
  static overlay(elements: readonly MetadataElement[]): MetadataElement {
    const last = new Map<string, MetadataElement>()
    for (const element of elements) for (const name of element.#byName.keys()) last.set(name, element)
    const children = elements.flatMap((element) =>
      element.#parsed.children.filter(({ name }) => last.get(name) === element),
    )
    return new MetadataElement(withChildren(children))
  }

  get #byName(): ByName {
    this.#groups ??= this.#parsed.children.length === 0 ? NO_GROUPS : groupChildren(this.#parsed)
    return this.#groups
  }

  /** Takes a pause after each element. */
  equals(other: MetadataElement): Generator<void, boolean> {
    return areEqual([this.#parsed], [other.#parsed])
  }

  /** The names of children that both have, with other content. Takes a pause after each element. */
  *differing(other: MetadataElement, apart: readonly string[]): Generator<void, string[]> {
    const names: string[] = []
    for (const [name, children] of this.#byName) {
      const others = other.#byName.get(name)
      if (others === undefined || apart.includes(name)) continue
      if (!(yield* areEqual(children, others))) names.push(name)
    }
    return names
  }

  /** An element that has this one as a child of the name, unless this one has such children itself. */
  asChild(name: string): MetadataElement {
    return this.#byName.has(name) ? this : new MetadataElement(withChildren([{ ...this.#parsed, name }]))
  }

  get content(): string {
    return this.#parsed.text
  }

  /** Offset in its file of what is in it. */
  get at(): number {
    return this.#parsed.at
  }

  all(name: string): readonly MetadataElement[] {
    const known = this.#requested?.get(name)
    if (known !== undefined) return known
    const found = this.#byName.get(name)
    const elements = found === undefined ? NO_ELEMENTS : found.map((one) => new MetadataElement(one))
    this.#remember(name, elements)
    return elements
  }

  #remember(name: string, elements: readonly MetadataElement[]): void {
    this.#requested ??= new Map()
    this.#requested.set(name, elements)
  }

  /** Like `all`, for parts whose unread children are noted elsewhere. */
  take(name: string): readonly MetadataElement[] {
    const elements = this.all(name)
    this.#remember(name, NO_ELEMENTS)
    return elements
  }

  one(name: string): MetadataElement | undefined {
    return this.all(name)[0]
  }

  /** The text of a child; undefined when there is none. */
  text(name: string): string | undefined {
    return this.one(name)?.content || undefined
  }

  texts(name: string): string[] {
    return this.all(name).map(({ content }) => content)
  }

  isTrue(name: string): boolean {
    return this.text(name) === 'true'
  }

  number(name: string): number | undefined {
    const text = this.text(name)
    const number = Number(text)
    return text === undefined || Number.isNaN(number) ? undefined : number
  }

  /** Names of unread children with a value other than `false`. Takes a pause after each element that was read. */
  *unreadInSlices(): Generator<void, readonly string[]> {
    const names = this.#unreadHere()
    for (const [name, elements] of this.#requested ?? []) {
      for (const element of elements) {
        if (element.#parsed.children.length === 0) continue
        for (const inner of yield* element.unreadInSlices()) names.add(`${name}.${inner}`)
        yield
      }
    }
    return [...names]
  }

  #unreadHere(): Set<string> {
    const names = new Set<string>()
    for (const [name, children] of this.#byName)
      if (this.#requested?.has(name) !== true && !children.every(isEmpty)) names.add(name)
    return names
  }

  /** The same without a pause. */
  unread(): readonly string[] {
    return drain(this.unreadInSlices())
  }
}

const isEmpty = ({ children, text }: XmlElement) => children.length === 0 && (text === '' || text === 'false')
