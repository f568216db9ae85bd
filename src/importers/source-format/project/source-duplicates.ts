import type { NotePad } from '../../notes.ts'
import type { MetadataElement } from './metadata-element.ts'

/** Finds components that are in several files of a project, or in several projects. Equal ones are one. Takes pauses while it compares. */
export class SourceDuplicates {
  readonly #pad: NotePad
  readonly #first = new Map<string, { readonly path: string; readonly xml: MetadataElement }>()

  constructor(pad: NotePad) {
    this.#pad = pad
  }

  /**
   * Notes a component that another file has with other content.
   * @param location `Account.Rating__c`, `list view Account.All`
   * @param taken which of them the import takes
   * @returns the one of the file before; undefined: there is none, or it is equal
   */
  *add(
    location: string,
    path: string,
    xml: MetadataElement,
    taken = 'the second one is taken',
  ): Generator<void, MetadataElement | undefined> {
    const key = location.toLowerCase()
    const first = this.#first.get(key)
    this.#first.set(key, { path, xml })
    if (first === undefined || (yield* first.xml.equals(xml))) return undefined
    this.#pad.add('duplicate', location, `${first.path} and ${path}: ${taken}`)
    return first.xml
  }

  /** Notes which parts of an object's own file another file has with other content. */
  *addObject(
    name: string,
    path: string,
    xml: MetadataElement,
    apart: readonly string[],
  ): Generator<void, void> {
    const key = `object ${name}`.toLowerCase()
    const first = this.#first.get(key)
    this.#first.set(key, { path, xml })
    const differing = first === undefined ? [] : yield* first.xml.differing(xml, apart)
    if (differing.length === 0) return
    this.#pad.add(
      'duplicate',
      name,
      `${differing.join(', ')} in ${first!.path} and ${path}: the second one is taken`,
    )
  }
}
