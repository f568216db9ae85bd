/* The parts of the files that sf imports. */

export interface Fields {
  readonly [name: string]: unknown
}

/** A record of a file to be imported. */
const entry = (type: string, referenceId: string, fields: Fields) => ({
  attributes: { type, referenceId },
  ...fields,
})
export const account = (referenceId: string, fields: Fields) => entry('Account', referenceId, fields)
export const contact = (referenceId: string, fields: Fields) => entry('Contact', referenceId, fields)

/** A family in one file: the records below stand in the record above. */
export const family = (name: string, child: Fields) => ({
  records: [
    account('AccountRef1', {
      Name: name,
      Contacts: { records: [contact('ContactRef1', child)] },
    }),
  ],
})

/** A plan with a file for each run of records of one object. */
export function writePlan(
  { write }: { write(name: string, text: string): string },
  name: string,
  records: readonly ReturnType<typeof entry>[],
): void {
  const runs: (typeof records)[number][][] = []
  for (const record of records) {
    const run = runs.at(-1)
    if (run?.[0]?.attributes.type === record.attributes.type) run.push(record)
    else runs.push([record])
  }
  const plan = runs.map((run, at) => {
    const file = `${name}-${at}.json`
    write(file, JSON.stringify({ records: run }))
    return { sobject: run[0]!.attributes.type, files: [file] }
  })
  write(`${name}.json`, JSON.stringify(plan))
}
