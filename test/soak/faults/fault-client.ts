import pg from 'pg'
import { FAULT_APPLICATION } from './statements.sql.ts'

/** A connection to the database by the direct way, for those who make it fail. */
export async function connectDirectly(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: FAULT_APPLICATION,
    // A database that was made read-only is made writable again by such a connection.
    options: '-c default_transaction_read_only=off',
  })
  // A database that is restarted ends this connection too.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Sends statements one after the other, on a connection of their own. */
export async function sendDirectly(url: string, statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = await connectDirectly(url)
  try {
    const results: pg.QueryResult[] = []
    for (const statement of statements) results.push(await client.query(statement))
    return results
  } finally {
    await client.end()
  }
}
