import { writeFileSync } from 'node:fs'
import { findStatements, readGraphqlGolden } from '../test/graphql/golden.ts'
import { compileSql, formatBlocks, readGoldenFiles, showsWholeResult } from '../test/soql/golden.ts'

/**
 * Writes the SQL of every query in test/soql/golden/*.txt and of every document in test/graphql/golden/*.txt again:
 * `node scripts/update-golden.ts`. To add a case, add a line `# SELECT ...` or `# { uiapi ...` to a file there and run
 * this. Then read the difference: it is what the change does to the SQL.
 */
for (const { path, blocks } of readGoldenFiles()) {
  const whole = showsWholeResult(path)
  writeFileSync(path, formatBlocks(blocks.map(({ query }) => ({ query, sql: compileSql(query, whole) }))))
}

for (const { path, blocks } of readGraphqlGolden()) {
  const written = []
  for (const { query } of blocks) written.push({ query, sql: await findStatements(query) })
  writeFileSync(path, formatBlocks(written))
}
