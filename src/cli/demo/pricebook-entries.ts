import type { Faker } from '@faker-js/faker'
import { draft, type Saved } from './draft.ts'
import { isGoods, type Product } from './products.ts'
import type { Scene } from './scene.ts'

export type PricebookEntry = ReturnType<typeof makePricebookEntry>

/** Something that can be sold, and its price. */
export interface Offer {
  readonly product: Saved<Product>
  readonly entry: Saved<PricebookEntry>
}

function makePricebookEntry(random: Faker, scene: Scene, product: Saved<Product>) {
  const price = isGoods(product)
    ? random.number.int({ min: 12, max: 480 }) * 50
    : random.number.int({ min: 4, max: 60 }) * 25
  return draft('PricebookEntry', {
    Pricebook2Id: scene.pricebook,
    Product2Id: product.Id,
    UnitPrice: price,
    IsActive: true,
  })
}

/** Each product's price in the standard price book. */
export const makePricebookEntries = (
  random: Faker,
  scene: Scene,
  products: readonly Saved<Product>[],
): PricebookEntry[] => products.map((product) => makePricebookEntry(random, scene, product))
