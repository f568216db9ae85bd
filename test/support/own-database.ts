import pg from 'pg'

async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** An empty database beside the one that the address names, for servers that must be alone on theirs. */
export async function makeOwnDatabase(serverUrl: string, purpose: string): Promise<OwnDatabase> {
  const name = `objectry_${purpose}_${process.pid}`
  await administer(serverUrl, `drop database if exists ${name} with (force)`)
  await administer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(serverUrl, `drop database if exists ${name} with (force)`) }
}
