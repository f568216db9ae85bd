import { makeTemplate } from '../test/support/template.ts'
import { removeAbandonedFolders } from '../test/support/temporary-folder.ts'

/** Makes the database that tests copy, unless it is there: `scripts/test.ts` calls this before its workers start. */
removeAbandonedFolders()
const startedAt = performance.now()
const made = await makeTemplate(process.env.TEST_DATABASE_URL)
if (made) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`The template of the test databases was made in ${seconds} s.\n`)
}
