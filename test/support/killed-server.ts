import { type Ending, fetchToken, type ServerProcess, startServer, type Variables } from './server-process.ts'

const CREDENTIALS = { clientId: 'soak', clientSecret: 'a secret of the soak test' }

const DATA = '/services/data/v64.0'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface KilledWork {
  readonly clients: number
  /** Repeated by each client, one time after the other. */
  readonly work: (client: number) => Promise<void>
  /** Resolves at the moment of the kill. */
  readonly untilKill: () => Promise<unknown>
  readonly signal?: NodeJS.Signals
}

/** Repeats a work until its connection breaks, or its answer does. Any other failure is none that may come. */
async function repeatUntilGone(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work()
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return
      throw error
    }
  }
}

/** Starts a server; on a busy machine the database may not answer each start in time. */
async function startWithin(variables: Variables, starts: number): Promise<ServerProcess> {
  for (let left = starts; ; left--) {
    try {
      return await startServer(variables)
    } catch (error) {
      if (left === 1) throw error
    }
  }
}

/** A server that is killed and started again on the same data, and its client. */
export class KilledServer {
  readonly #variables: Variables
  readonly #starts: number
  #server!: ServerProcess
  #token!: string

  private constructor(variables: Variables, starts: number) {
    const { clientId, clientSecret } = CREDENTIALS
    this.#variables = {
      ...variables,
      OBJECTRY_CLIENT_ID: clientId,
      OBJECTRY_CLIENT_SECRET: clientSecret,
    }
    this.#starts = starts
  }

  /** @param starts how often a start is tried */
  static async start(variables: Variables, starts = 1): Promise<KilledServer> {
    const server = new KilledServer(variables, starts)
    await server.#start()
    return server
  }

  async #start(): Promise<void> {
    const server = await startWithin(this.#variables, this.#starts)
    this.#token = await fetchToken(server.address, CREDENTIALS)
    this.#server = server
  }

  /** Where it listens, another one after each start, and the token of its client. */
  get access(): { readonly address: string; readonly token: string } {
    return { address: this.#server.address, token: this.#token }
  }

  /** Its standard output until it was ready the last time. */
  get greeting(): string {
    return this.#server.greeting
  }

  /**
   * @param path below the data API unless it starts with /services or /setup
   * @param body a text is sent as CSV
   * @throws TypeError if the connection breaks
   */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const isCsv = typeof body === 'string'
    const response = await fetch(
      this.#server.address + (/^\/(services|setup)\//.test(path) ? '' : DATA) + path,
      {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': isCsv ? 'text/csv' : 'application/json',
        },
        body: body === undefined ? null : isCsv ? body : JSON.stringify(body),
      },
    )
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /**
   * Returns the text of an answer.
   * @throws Error if it is no success
   */
  async call(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await this.send(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return text
  }

  /** Creates a record and returns its id. */
  async create(object: string, fields: object): Promise<string> {
    return JSON.parse(await this.call('POST', `/sobjects/${object}`, fields)).id
  }

  /** Returns the records of a query, on however many pages they are. */
  async query<Row = Record<string, string>>(soql: string): Promise<Row[]> {
    const records: Row[] = []
    let path: string | undefined = `/query?q=${encodeURIComponent(soql)}`
    while (path !== undefined) {
      const page: { records: Row[]; nextRecordsUrl?: string } = JSON.parse(await this.call('GET', path))
      records.push(...page.records)
      path = page.nextRecordsUrl
    }
    return records
  }

  /** Ends the server and starts it again. */
  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ending> {
    const ending = await this.end(signal)
    await this.#start()
    return ending
  }

  /** Ends the server in the midst of the work of clients, and starts it again when all of them have noticed. */
  async killUnder({ clients, work, untilKill, signal = 'SIGKILL' }: KilledWork): Promise<Ending> {
    const working = Promise.all(
      Array.from({ length: clients }, (_, client) => repeatUntilGone(() => work(client))),
    )
    await Promise.race([untilKill(), working])
    const ending = await this.end(signal)
    await working
    await this.#start()
    return ending
  }

  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ending> {
    return this.#server.end(signal)
  }
}
