import pg from 'pg'

/** Exits 0 as soon as the PostgreSQL of the first argument answers, 1 when it has not within ten seconds. */
const url = process.argv[2]
for (let attempt = 0; attempt < 20; attempt++) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.end()
    process.exit(0)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
process.exit(1)
