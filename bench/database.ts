import pg from 'pg'

const adminUrl = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** A database of the bench's own, on the PostgreSQL of BENCH_DATABASE_URL. */
export interface BenchDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function makeDatabase(): Promise<BenchDatabase> {
  const name = `objectry_bench_${process.pid}`
  await administer(`create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) }
}
