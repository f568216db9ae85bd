import { fetchRecords } from './ask.ts'
import type { TestOrg } from './org.ts'

export interface Prices {
  readonly standard: string
  readonly book: string
  readonly product: string
  /** Of 100, in the book. */
  readonly entry: string
}

/** A product with a standard price and one of 100 in an active book. */
export async function addPrices(o: TestOrg, name = 'Roof'): Promise<Prices> {
  const [{ Id } = {}] = await fetchRecords(o, 'SELECT Id FROM Pricebook2 WHERE IsStandard = true')
  const product = await o.create('Product2', { Name: name, ProductCode: `${name}-1`, IsActive: true })
  const book = await o.create('Pricebook2', { Name: `${name}s`, IsActive: true })
  const priced = { Product2Id: product, IsActive: true }
  await o.create('PricebookEntry', { ...priced, Pricebook2Id: Id, UnitPrice: 90 })
  const entry = await o.create('PricebookEntry', { ...priced, Pricebook2Id: book, UnitPrice: 100 })
  return { standard: String(Id), book, product, entry }
}
