/** Notes on what an export leaves out, once for each thing. */
export class ExportNotes {
  readonly #lines = new Set<string>()

  /** @param location `Job__c.Hours__c` */
  add(location: string, what: string): void {
    this.#lines.add(`${location}: ${what}`)
  }

  /** Notes properties that the format has no place for. */
  addProperties(location: string, properties: object): void {
    for (const [name, value] of Object.entries(properties))
      if (value !== undefined) this.add(location, `${name} is not written`)
  }

  get lines(): readonly string[] {
    return [...this.#lines]
  }
}
