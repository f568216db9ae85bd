import { randomUUID } from 'node:crypto'
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'

/* Copy it into your project: `npm install --save-dev testcontainers`. */

const PORT = 8080
/** Where the deployment is inside the container. */
const DEPLOYMENT = '/deployment'
/** The snapshot of the org as it was at the start. */
const SNAPSHOT = 'start'

interface Client {
  readonly clientId: string
  readonly clientSecret: string
}

/** An org in memory in a container: `new ObjectryContainer().withDeployment('deployment').start()`. */
export class ObjectryContainer extends GenericContainer {
  readonly #client: Client = { clientId: 'tests', clientSecret: randomUUID() }

  /** @param image as `docker build -f examples/docker/Dockerfile -t objectry .` in the repository makes it */
  constructor(image = 'objectry') {
    super(image)
    this.withEnvironment({
      OBJECTRY_DATA: 'memory',
      OBJECTRY_CLIENT_ID: this.#client.clientId,
      OBJECTRY_CLIENT_SECRET: this.#client.clientSecret,
    })
    this.withExposedPorts(PORT)
    this.withWaitStrategy(Wait.forHttp('/readyz', PORT))
    this.withStartupTimeout(120_000)
  }

  /** A folder with objects, triggers and what else a deployment may have; it is copied. */
  withDeployment(folder: string): this {
    return this.withCopyDirectoriesToContainer([{ source: folder, target: DEPLOYMENT }]).withEnvironment({
      OBJECTRY_DEPLOYMENT: DEPLOYMENT,
    })
  }

  override async start(): Promise<StartedObjectryContainer> {
    const started = new StartedObjectryContainer(await super.start(), this.#client)
    await started.save()
    return started
  }
}

export class StartedObjectryContainer extends AbstractStartedContainer {
  readonly clientId: string
  readonly clientSecret: string
  #token: string | undefined

  constructor(container: StartedTestContainer, { clientId, clientSecret }: Client) {
    super(container)
    this.clientId = clientId
    this.clientSecret = clientSecret
  }

  /** The address of the org. */
  get url(): string {
    return `http://${this.getHost()}:${this.getMappedPort(PORT)}`
  }

  /** An access token of its administrator. */
  async token(): Promise<string> {
    this.#token ??= await this.#fetchToken()
    return this.#token
  }

  /** Keeps the org as it is for `restore`. */
  save(): Promise<void> {
    return this.#setUp('PUT', `snapshots/${SNAPSHOT}`)
  }

  /** Puts the org back to where it was at the start, or at the last `save`. */
  restore(): Promise<void> {
    return this.#setUp('POST', 'restore', { snapshot: SNAPSHOT })
  }

  async #fetchToken(): Promise<string> {
    const response = await fetch(`${this.url}/services/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: this.clientId,
        client_secret: this.clientSecret,
      }),
    })
    if (!response.ok) throw new Error(await response.text())
    const { access_token } = (await response.json()) as { access_token: string }
    return access_token
  }

  async #setUp(method: string, path: string, body?: object): Promise<void> {
    const headers = { Authorization: `Bearer ${await this.token()}`, 'Content-Type': 'application/json' }
    const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.url}/setup/orgs/current/${path}`, sent)
    if (!response.ok) throw new Error(await response.text())
  }
}
