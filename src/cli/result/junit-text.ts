/** A test as a CI shows it. */
export interface JunitTest {
  readonly group: string
  readonly name: string
  /** Why it failed; undefined: it did not. */
  readonly failure: string | undefined
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Drops characters that XML cannot hold. */
const attribute = (text: string) =>
  `"${text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)}"`

/** Tests in the XML that CIs read. */
export function junitText(suite: string, tests: readonly JunitTest[]): string {
  const failures = tests.filter(({ failure }) => failure !== undefined).length
  const cases = tests.map(({ group, name, failure }) => {
    const open = `    <testcase classname=${attribute(group)} name=${attribute(name)}`
    return failure === undefined
      ? `${open}/>`
      : `${open}>\n      <failure message=${attribute(failure)}/>\n    </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>\n  <testsuite name=${attribute(suite)} tests="${tests.length}" failures="${failures}">`,
    ...cases,
    '  </testsuite>\n</testsuites>\n',
  ].join('\n')
}
