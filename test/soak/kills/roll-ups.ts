import type { KilledServer } from '../../support/killed-server.ts'
import { writeDeployment } from '../../support/trigger-files.ts'
import { changeOwn, type DerivationLoad, pick } from './derivation-load.ts'

const rollUps = (object: string, reference: string, amount: string) => `
  Count__c: { type: double, rollUp: { object: ${object}, reference: ${reference}, function: count } }
  Sum__c: { type: currency, scale: 2, rollUp: { object: ${object}, reference: ${reference}, function: sum, field: ${amount} } }
  Least__c: { type: currency, scale: 2, rollUp: { object: ${object}, reference: ${reference}, function: min, field: ${amount} } }
  Large__c: { type: double, rollUp: { object: ${object}, reference: ${reference}, function: count, filter: "${amount} > 5" } }`

const FILES = {
  'objects/Shelf__c.yaml': `fields:${rollUps('Crate__c', 'Shelf__c', 'Sum__c')}\n`,
  'objects/Crate__c.yaml': `fields:
  Shelf__c: { type: reference, to: Shelf__c, masterDetail: 0, children: Crates__r, reparentable: true }${rollUps('Item__c', 'Crate__c', 'Price__c')}\n`,
  'objects/Item__c.yaml': `fields:
  Crate__c: { type: reference, to: Crate__c, masterDetail: 0, children: Items__r, reparentable: true }
  Price__c: { type: currency, scale: 2 }\n`,
  // There is no other way to restore a record.
  'triggers/undelete.ts': `export default {
  object: 'Account',
  async afterInsert(changes: any[], org: any) {
    for (const { record } of changes) await org.undelete('Item__c', [record.Name], { allOrNone: false })
  },
}\n`,
}

interface Shared {
  readonly crates: readonly string[]
  /** Ids of deleted items. */
  readonly deleted: string[]
}

async function makeShared(server: KilledServer): Promise<Shared> {
  const shelves = [
    await server.create('Shelf__c', { Name: 'A' }),
    await server.create('Shelf__c', { Name: 'B' }),
  ]
  const crates: string[] = []
  for (const Shelf__c of [...shelves, ...shelves]) crates.push(await server.create('Crate__c', { Shelf__c }))
  return { crates, deleted: [] }
}

const price = () => Math.round(Math.random() * 1000) / 100

/** 32 clients that create, change, move, delete and restore details of the same four masters, whose own masters sum these up. */
export const ROLL_UPS: DerivationLoad<Shared> = {
  clients: 32,
  deployment: () => writeDeployment(FILES),
  makeShared,
  own: ['Item__c'],
  chooseWrite({ crates, deleted }, own) {
    const choices = [
      () => ({
        method: 'POST',
        object: 'Item__c',
        path: '',
        body: { Crate__c: pick(crates), Price__c: price() },
      }),
      () => changeOwn(own, 'Item__c', { Price__c: price() }),
      () => changeOwn(own, 'Item__c', { Crate__c: pick(crates) }),
      () => {
        const write = changeOwn(own, 'Item__c', undefined)
        if (write !== undefined) deleted.push(write.path.slice(1))
        return write
      },
      () => {
        const [id] = deleted.splice(Math.floor(Math.random() * deleted.length), 1)
        return id === undefined
          ? undefined
          : { method: 'POST', object: 'Account', path: '', body: { Name: id } }
      },
    ]
    return pick(choices)()
  },
}
