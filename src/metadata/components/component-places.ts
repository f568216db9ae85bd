import { getOrInsert } from '../../base/get-or-insert.ts'
import type { ParsedFile } from '../archive/parse-files.ts'
import { type Place, TextPlaces } from '../archive/text-places.ts'
import type { Component } from './find-components.ts'

/** Elements of properties that definition files call otherwise. */
const ELEMENTS: Readonly<Record<string, string>> = {
  activities: 'enableActivities',
  children: 'relationshipName',
  condition: 'errorConditionFormula',
  default: 'defaultValue',
  defaultFormula: 'defaultValue',
  field: 'errorDisplayField',
  format: 'displayFormat',
  help: 'inlineHelpText',
  labelPlural: 'pluralLabel',
  masterDetail: 'relationshipOrder',
  message: 'errorMessage',
  onDelete: 'deleteConstraint',
  picklists: 'picklistValues',
  rollUp: 'summaryForeignKey',
  sharing: 'sharingModel',
  to: 'referenceTo',
  values: 'valueSet',
  where: 'filters',
}

/** Finds places of components in the files of an archive. */
export class ComponentPlaces {
  readonly #texts: ReadonlyMap<string, string>
  readonly #places = new Map<string, TextPlaces>()

  constructor(files: readonly ParsedFile[]) {
    this.#texts = new Map(files.map(({ path, text }) => [path, text]))
  }

  /**
   * Finds where something stands, as near as it is known.
   * @param property of the component, as definition files call it
   * @param within a place in the text of the property
   * @returns undefined if the file of the component was not read
   */
  find({ path, xml }: Component, property?: string, within?: Place): Place | undefined {
    if (xml === undefined) return undefined
    const places = getOrInsert(this.#places, path, () => new TextPlaces(this.#texts.get(path) ?? ''))
    const name = property !== undefined && Object.hasOwn(ELEMENTS, property) ? ELEMENTS[property] : property
    const element = name === undefined ? undefined : xml.one(name)
    const exact = element && within && places.find(element.at, within)
    return exact ?? places.placeOf((element ?? xml).at)
  }
}
