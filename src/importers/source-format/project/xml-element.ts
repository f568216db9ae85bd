import { isDeepStrictEqual } from 'node:util'
import { getOrInsert } from '../../../base/get-or-insert.ts'

/** An element as the parser returns it: its text, or its children by name. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] }

/**
 * An element of a metadata file. It records which children were read, so that an import can note the others.
 */
export class XmlElement {
  readonly #node: XmlNode
  readonly #requested = new Map<string, readonly XmlElement[]>()

  constructor(node: XmlNode) {
    this.#node = node
  }

  /** An element with the children of all of them. */
  static join(elements: readonly XmlElement[]): XmlElement {
    const children = new Map<string, XmlNode[]>()
    for (const element of elements) {
      if (typeof element.#node === 'string') continue
      for (const [name, child] of Object.entries(element.#node))
        if (name !== '#text') getOrInsert(children, name, () => []).push(...[child].flat())
    }
    return new XmlElement(Object.fromEntries(children))
  }

  /** An element with the children of both; of those with the same name those of the second. */
  static overlay(first: XmlElement, second: XmlElement): XmlElement {
    return new XmlElement({ ...first.#children(), ...second.#children() })
  }

  #children(): Exclude<XmlNode, string> {
    return typeof this.#node === 'string' ? {} : this.#node
  }

  equals(other: XmlElement): boolean {
    return isDeepStrictEqual(this.#node, other.#node)
  }

  /** The names of children that both have, with other content. */
  differing(other: XmlElement): string[] {
    const [own, others] = [this.#children(), other.#children()]
    return Object.keys(own).filter(
      (name) => Object.hasOwn(others, name) && !isDeepStrictEqual(own[name], others[name]),
    )
  }

  /** An element that has this one as a child of the name, unless this one has such children itself. */
  asChild(name: string): XmlElement {
    const isThere = typeof this.#node === 'object' && Object.hasOwn(this.#node, name)
    return isThere ? this : new XmlElement({ [name]: this.#node })
  }

  get content(): string {
    if (typeof this.#node === 'string') return this.#node
    const text = Object.hasOwn(this.#node, '#text') ? this.#node['#text'] : ''
    return typeof text === 'string' ? text : ''
  }

  all(name: string): readonly XmlElement[] {
    const known = this.#requested.get(name)
    if (known !== undefined) return known
    const node = this.#node
    const found = typeof node === 'object' && Object.hasOwn(node, name) ? node[name]! : []
    const elements = (Array.isArray(found) ? found : [found]).map((one: XmlNode) => new XmlElement(one))
    this.#requested.set(name, elements)
    return elements
  }

  /** Like `all`, for parts whose unread children are noted elsewhere. */
  take(name: string): readonly XmlElement[] {
    const elements = [...this.all(name)]
    this.#requested.set(name, [])
    return elements
  }

  one(name: string): XmlElement | undefined {
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

  /** Names of unread children with a value other than `false`. */
  unread(): string[] {
    if (typeof this.#node === 'string') return []
    const hasContent = (name: string) => new XmlElement(this.#node).all(name).some(({ isEmpty }) => !isEmpty)
    const here = Object.keys(this.#node).filter(
      (name) => name !== '#text' && !this.#requested.has(name) && hasContent(name),
    )
    const below = [...this.#requested].flatMap(([name, elements]) =>
      elements.flatMap((element) => element.unread()).map((inner) => `${name}.${inner}`),
    )
    return [...new Set([...here, ...below])]
  }

  get isEmpty(): boolean {
    return typeof this.#node === 'string' && (this.#node === '' || this.#node === 'false')
  }
}
