import { makeCampaigns } from './campaigns.ts'
import { makePricebookEntries, type Offer } from './pricebook-entries.ts'
import { makeProducts } from './products.ts'
import type { RecordWriter } from './record-writer.ts'
import type { Scene } from './scene.ts'
import type { Size } from './sizes.ts'
import type { Sow } from './sow.ts'

/** Data that all companies share. */
export interface Catalog {
  readonly offers: readonly Offer[]
  readonly campaigns: Awaited<ReturnType<typeof writeCampaigns>>
}

const writeCampaigns = (writer: RecordWriter, scene: Scene, sow: Sow, { campaigns }: Size) =>
  writer.write(makeCampaigns(sow('campaigns'), scene, campaigns))

/** Products come first: by them it is known that an org has sample data, also when the rest never came. */
export async function writeCatalog(
  writer: RecordWriter,
  scene: Scene,
  sow: Sow,
  size: Size,
): Promise<Catalog> {
  const products = await writer.write(makeProducts(sow('products'), size.products))
  const entries = await writer.write(makePricebookEntries(sow('prices'), scene, products))
  const offers = products.map((product, at) => ({ product, entry: entries[at]! }))
  return { offers, campaigns: await writeCampaigns(writer, scene, sow, size) }
}
