import pg from 'pg'

export const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Bytes of a database with its indexes. */
export async function readDatabaseSize(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select pg_database_size(current_database())::float8 as size')
    return rows[0].size
  } finally {
    await client.end()
  }
}

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A database of the bench's own, on the PostgreSQL of BENCH_DATABASE_URL. */
export interface BenchDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * Makes an empty database.
 * @param purpose tells it from another database of the same bench
 */
export async function makeDatabase(purpose?: string): Promise<BenchDatabase> {
  const name = ['objectry_bench', process.pid, ...(purpose === undefined ? [] : [purpose])].join('_')
  await administer(
    `create database ${name}`,
    // A parallel worker is a process of its own that ends with its query: its processor time could not be read.
    `alter database ${name} set max_parallel_workers_per_gather = 0`,
  )
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) }
}
