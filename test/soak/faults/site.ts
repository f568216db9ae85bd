import { type ServerProcess, startServer, type Variables } from '../../support/server-process.ts'
import { type Bounds, boundVariables } from './bounds.ts'
import { makeTenants, type Tenants } from './tenants.ts'

/** A server that is stopped, killed and started again, always at the same address and on the same database. */
export class Site {
  readonly bounds: Bounds
  readonly tenants: Tenants
  readonly address: string
  readonly #variables: Variables
  #server: ServerProcess

  private constructor(server: ServerProcess, tenants: Tenants, variables: Variables, bounds: Bounds) {
    this.#server = server
    this.tenants = tenants
    this.address = server.address
    this.#variables = { ...variables, PORT: new URL(server.address).port }
    this.bounds = bounds
  }

  /** Starts a server on an empty database. */
  static async open(database: Variables, bounds: Bounds): Promise<Site> {
    const variables = { ...database, ...boundVariables(bounds) }
    const server = await startServer(variables)
    return new Site(server, await makeTenants(server), variables, bounds)
  }

  get server(): ServerProcess {
    return this.#server
  }

  async start(): Promise<void> {
    this.#server = await startServer(this.#variables)
  }

  /** For a server that may be in any state. */
  async close(): Promise<void> {
    await this.#server.end('SIGKILL')
  }
}
