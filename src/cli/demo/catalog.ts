import { draft, type RecordWriter, type Saved } from './record-writer.ts'
import { dayAfter, type Source, type Sources, times } from './source.ts'

/** Prefix of the codes of sample products, by which they are recognized. */
export const CODE_PREFIX = 'DEMO-'

/** How much of what everything else hangs on; the rest follows from it. */
export interface Size {
  readonly accounts: number
  readonly products: number
  readonly campaigns: number
  /** About how many records come of it in all. */
  readonly about: number
}

const SERIES = ['Alto', 'Borea', 'Cirrus', 'Delta', 'Evo', 'Fjord', 'Gala', 'Helio']
const GOODS =
  'Pump,Pressure Sensor,Gateway,Inverter,Control Panel,Valve,Drive Unit,Flow Meter,Generator,Heat Exchanger'.split(
    ',',
  )
const SERVICES = ['Installation', 'Training Day', 'Service Plan', 'Remote Monitoring']

type Product = ReturnType<typeof makeProduct>

/** Goods are installed at customers; services are not. */
export const isGoods = ({ StockKeepingUnit }: Product): boolean => StockKeepingUnit !== null

function makeProduct({ faker, one, int }: Source, number: number) {
  const isService = number % 4 === 3
  const series = one(SERIES)
  const model = `${series} ${int(10, 99) * 10}`
  return draft('Product2', {
    Name: isService ? `${one(SERVICES)} ${model}` : `${model} ${one(GOODS)}`,
    ProductCode: `${CODE_PREFIX}${String(number + 1).padStart(4, '0')}`,
    StockKeepingUnit: isService ? null : `${series.slice(0, 2).toUpperCase()}${faker.string.numeric(6)}`,
    IsActive: true,
    Description: isService ? `For everything of the series ${series}.` : `A part of the series ${series}.`,
  })
}

/** The price of a product in the standard price book. */
const makePrice = ({ int, pricebook }: Source, product: Saved<Product>) =>
  draft('PricebookEntry', {
    Pricebook2Id: pricebook,
    Product2Id: product.Id,
    UnitPrice: isGoods(product) ? int(12, 480) * 50 : int(4, 60) * 25,
    IsActive: true,
  })

/** Something that can be sold, and its price. */
export interface Offer {
  readonly product: Saved<Product>
  readonly entry: Saved<ReturnType<typeof makePrice>>
}

/** Days from today on which a campaign of each status may have started, and how long it lasts. */
const STATUSES = [
  { status: 'Completed', starts: [-400, -120], lasts: [10, 90] },
  { status: 'In Progress', starts: [-60, -10], lasts: [70, 120] },
  { status: 'Planned', starts: [20, 120], lasts: [1, 60] },
] as const

const THEMES = ['Less Downtime', 'Open House', 'Factory Tour', 'Energy Savings', 'New Series', 'Partner Days']

const SEASONS = ['Winter', 'Winter', 'Spring', 'Spring', 'Spring', 'Summer', 'Summer', 'Summer', 'Autumn']

/** `Spring 2026`, of the day on which it starts. */
const getSeason = (day: string) => `${SEASONS[Number(day.slice(5, 7)) - 1] ?? 'Autumn'} ${day.slice(0, 4)}`

export type Campaign = ReturnType<typeof makeCampaign>

function makeCampaign({ faker, one, int, pick, owner, today }: Source, at: number) {
  // The first three have a status each, so that the smallest set has all of them.
  const { status, starts, lasts } = STATUSES[at] ?? one(STATUSES)
  const start = dayAfter(today, int(starts[0], starts[1]))
  const budget = int(4, 120) * 500
  const spent = { Completed: faker.number.float({ min: 0.7, max: 1.1 }), 'In Progress': 0.5, Planned: 0 }
  return draft('Campaign', {
    Name: `${one(THEMES)} ${getSeason(start)}`,
    Type: pick('Campaign', 'Type'),
    Status: status as string,
    IsActive: status === 'In Progress',
    StartDate: start,
    EndDate: dayAfter(start, int(lasts[0], lasts[1])),
    BudgetedCost: budget,
    ActualCost: Math.round(budget * spent[status]),
    ExpectedRevenue: budget * int(3, 8),
    ExpectedResponse: int(2, 20),
    NumberSent: status === 'Planned' ? 0 : int(5, 80) * 100,
    OwnerId: owner(),
  })
}

/** Those that somebody may have heard of by a day. */
export const startedBy = (day: string, campaigns: readonly Saved<Campaign>[]): readonly Saved<Campaign>[] =>
  campaigns.filter(({ StartDate, Status }) => Status !== 'Planned' && StartDate <= day)

/** Data that all companies share. */
export interface Catalog {
  readonly offers: readonly Offer[]
  readonly campaigns: readonly Saved<Campaign>[]
}

/** Products come first: by them it is known that an org has sample data, also when the rest never came. */
export async function writeCatalog(writer: RecordWriter, sources: Sources, size: Size): Promise<Catalog> {
  const goods = sources('products')
  const products = await writer.write(times(size.products, (number) => makeProduct(goods, number)))
  const prices = sources('prices')
  const entries = await writer.write(products.map((product) => makePrice(prices, product)))
  const events = sources('campaigns')
  const campaigns = await writer.write(times(size.campaigns, (at) => makeCampaign(events, at)))
  return { offers: products.map((product, at) => ({ product, entry: entries[at]! })), campaigns }
}
