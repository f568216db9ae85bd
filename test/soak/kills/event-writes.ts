import type { KilledServer } from '../../support/killed-server.ts'

/** What a writer did with one of its accounts: the values of its Description, in their order. */
interface Written {
  readonly id: string
  /** Those that were acknowledged, and those whose outcome is not known. */
  readonly marks: { readonly mark: string; isSure: boolean }[]
  isDeleted: 'no' | 'yes' | 'perhaps'
}

/** The writes of one client, each with a mark of its own. */
export class EventWriter {
  readonly accounts: Written[] = []
  /** Names of records and numbers of events that must have been told. */
  readonly told: string[] = []
  /** Those that may have been, because their answer was lost. */
  readonly perhaps: string[] = []
  /** Those that must not have been. */
  readonly untold: string[] = []
  readonly #name: string
  readonly #server: KilledServer
  #count = 0

  constructor(server: KilledServer, name: string) {
    this.#server = server
    this.#name = name
  }

  get count(): number {
    return this.#count
  }

  /** @throws TypeError when the connection breaks */
  async write(): Promise<void> {
    this.#count++
    const kinds = [
      () => this.#create(),
      () => this.#update(),
      () => this.#update(),
      () => this.#collection(),
      () => this.#composite(),
      () => this.#rolledBack(),
      () => this.#tree(),
      () => this.#graphql(),
      () => this.#publish(),
      () => this.#delete(),
    ]
    await kinds[Math.floor(Math.random() * kinds.length)]!()
  }

  #mark(what: string): string {
    return `${this.#name}.${this.#count}.${what}`
  }

  /** Sends a write that makes marked things; what became of them is noted. */
  async #make(
    marks: readonly string[],
    method: string,
    path: string,
    body: unknown,
  ): Promise<string | undefined> {
    let isKnown = false
    try {
      const { status, text } = await this.#server.send(method, path, body)
      isKnown = status < 500
      if (status < 300 && !text.includes('"success":false') && !text.includes('"errors":[{"message"')) {
        this.told.push(...marks)
        return text
      }
      if (isKnown) this.untold.push(...marks)
      return undefined
    } finally {
      if (!isKnown) this.perhaps.push(...marks)
    }
  }

  async #create() {
    const mark = this.#mark('single')
    const text = await this.#make([mark], 'POST', '/sobjects/Account', { Name: mark })
    if (text !== undefined) this.accounts.push({ id: JSON.parse(text).id, marks: [], isDeleted: 'no' })
  }

  async #update() {
    const living = this.accounts.filter(({ isDeleted }) => isDeleted === 'no')
    const account = living[Math.floor(Math.random() * living.length)]
    if (account === undefined) return this.#create()
    const change = { mark: this.#mark('update'), isSure: false }
    account.marks.push(change)
    const { status, text } = await this.#server.send('PATCH', `/sobjects/Account/${account.id}`, {
      Description: change.mark,
    })
    if (status === 204) change.isSure = true
    else if (status < 500) throw new Error(`an update was refused: ${status} ${text}`)
  }

  async #delete() {
    const account = this.accounts.find(({ isDeleted }) => isDeleted === 'no')
    if (account === undefined) return
    account.isDeleted = 'perhaps'
    const { status } = await this.#server.send('DELETE', `/sobjects/Account/${account.id}`)
    if (status === 204) account.isDeleted = 'yes'
  }

  #collection() {
    const marks = Array.from({ length: 20 }, (_, n) => this.#mark(`list${n}`))
    const records = marks.map((Name) => ({ attributes: { type: 'Account' }, Name }))
    return this.#make(marks, 'POST', '/composite/sobjects', { allOrNone: true, records })
  }

  #steps(names: readonly (string | undefined)[]) {
    const compositeRequest = names.map((name, n) => ({
      method: 'POST',
      url: `/services/data/v64.0/sobjects/${n % 2 === 0 ? 'Account' : 'Contact'}`,
      referenceId: `r${n}`,
      body: name === undefined ? {} : n % 2 === 0 ? { Name: name } : { LastName: name },
    }))
    return { allOrNone: true, compositeRequest }
  }

  #composite() {
    const marks = ['a', 'b', 'c'].map((one) => this.#mark(one))
    return this.#make(marks, 'POST', '/composite', this.#steps(marks))
  }

  async #rolledBack() {
    const marks = ['x', 'y'].map((one) => this.#mark(one))
    this.untold.push(...marks)
    await this.#server.send('POST', '/composite', this.#steps([...marks, undefined]))
  }

  #tree() {
    const marks = ['parent', 'child'].map((one) => this.#mark(one))
    const child = { attributes: { type: 'Contact', referenceId: 'c' }, LastName: marks[1] }
    const parent = {
      attributes: { type: 'Account', referenceId: 'p' },
      Name: marks[0],
      Contacts: { records: [child] },
    }
    return this.#make(marks, 'POST', '/composite/tree/Account', { records: [parent] })
  }

  #graphql() {
    const mark = this.#mark('graphql')
    const query = `mutation { uiapi { AccountCreate(input: { Account: { Name: "${mark}" } }) { Record { Id } } } }`
    return this.#make([mark], 'POST', '/graphql', { query })
  }

  #publish() {
    const marks = Array.from({ length: 5 }, (_, n) => this.#mark(`event${n}`))
    const records = marks.map((Number__c) => ({ attributes: { type: 'Order_Placed__e' }, Number__c }))
    return this.#make(marks, 'POST', '/composite/sobjects', { allOrNone: true, records })
  }
}
