import pg from 'pg'

const SHOWN = /postgres:\/\/\w+@(?:localhost|127\.0\.0\.1):5432\/(\w+)/g

let count = 0

/** The databases of a page, which are called otherwise on the server of the suite. */
export class GuideDatabases {
  readonly #serverUrl: URL
  readonly #prefix = `objectry_guide_${process.pid}_${count++}_`
  readonly #names = new Set<string>()

  constructor(serverUrl: string) {
    this.#serverUrl = new URL(serverUrl)
  }

  /** Environment variables of the programs of PostgreSQL. */
  get variables(): Readonly<Record<string, string>> {
    const { hostname, port, username, password } = this.#serverUrl
    return {
      DATABASE_PREFIX: this.#prefix,
      PGHOST: hostname,
      PGPORT: port === '' ? '5432' : port,
      PGUSER: decodeURIComponent(username),
      ...(password !== '' && { PGPASSWORD: decodeURIComponent(password) }),
    }
  }

  toReal(text: string): string {
    return text.replace(SHOWN, (_shown, name: string) => {
      const url = new URL(this.#serverUrl)
      url.pathname = `/${this.#prefix}${name}`
      return url.href
    })
  }

  toShown(text: string): string {
    return text.replaceAll(this.#prefix, '')
  }

  /** Makes those that a page has an address of and does not make itself. */
  async make(page: string): Promise<void> {
    for (const [, name] of page.matchAll(SHOWN)) this.#names.add(name!)
    const made = [...page.matchAll(/createdb .*?(\w+)$/gm)].map(([, name]) => name!)
    for (const name of this.#names) {
      if (!made.includes(name))
        await this.#administer(
          `create database ${this.#prefix}${name} encoding 'UTF8' locale 'C.UTF-8' template template0`,
        )
    }
    for (const name of made) this.#names.add(name)
  }

  async drop(): Promise<void> {
    for (const name of this.#names)
      await this.#administer(`drop database if exists ${this.#prefix}${name} with (force)`)
  }

  async #administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#serverUrl.href })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
}
