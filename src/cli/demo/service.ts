import { isGoods } from './catalog.ts'
import type { Ordered, Sale } from './deals.ts'
import { draft, type RecordWriter, type Saved } from './record-writer.ts'
import { dayAfter, type Source, type Sources, times } from './source.ts'

type Asset = ReturnType<typeof makeAsset>

/** Closed deals lie a month back, so what was ordered stands at the customer by now. */
const makeAsset = ({ faker, int, one }: Source, { deal, order }: Ordered, sale: Sale) =>
  draft('Asset', {
    Name: sale.offer.product.Name,
    AccountId: deal.account.Id,
    ContactId: deal.contacts[0]!.Id,
    Product2Id: sale.offer.product.Id,
    SerialNumber: `${sale.offer.product.StockKeepingUnit}-${faker.string.numeric(5)}`,
    Quantity: sale.quantity,
    Price: Math.round(sale.totalCents / 100),
    Status: one(['Installed', 'Installed', 'Registered']),
    PurchaseDate: order.PoDate,
    InstallDate: dayAfter(order.EffectiveDate, int(1, 10)),
    OwnerId: deal.opportunity.OwnerId,
  })

const COMPLAINTS = [
  'makes a noise when it starts',
  'stops after an hour',
  'shows error E-17',
  'leaks at the inlet',
  'does not answer over the network',
  'needs a new seal',
  'runs hotter than it should',
  'was delivered without its manual',
]

type Case = ReturnType<typeof makeCase>

function makeCase({ one, pick, weighted }: Source, asset: Saved<Asset>) {
  const complaint = one(COMPLAINTS)
  const status = weighted([5, 'Closed'], [3, 'Working'], [2, 'New'], [1, 'Escalated'])
  return draft('Case', {
    Subject: `${asset.Name} ${complaint}`,
    Description: `Our ${asset.Name} (serial number ${asset.SerialNumber}) ${complaint}.`,
    Status: status,
    Priority: status === 'Escalated' ? 'High' : pick('Case', 'Priority'),
    IsEscalated: status === 'Escalated',
    Origin: pick('Case', 'Origin'),
    Reason: pick('Case', 'Reason'),
    Type: pick('Case', 'Type'),
    AccountId: asset.AccountId,
    ContactId: asset.ContactId,
    AssetId: asset.Id,
    OwnerId: asset.OwnerId,
  })
}

const ANSWERS = [
  'Asked the customer for the log of the last week.',
  'Called back: it happens every morning.',
  'A technician was there and replaced the filter.',
  'Waiting for the spare part.',
  'Sent the manual by mail.',
  'Settings changed; the customer watches it for two days.',
]

const LAST = 'Works again, the customer agrees.'

/** New cases have no answer yet, closed ones end well. */
function makeComments({ faker, int }: Source, { Id, Status }: Saved<Case>) {
  const answers = Status === 'New' ? [] : faker.helpers.arrayElements(ANSWERS, int(0, 2))
  const all = Status === 'Closed' ? [...answers, LAST] : answers
  return all.map((text) =>
    draft('CaseComment', { ParentId: Id, CommentBody: text, IsPublished: text === LAST }),
  )
}

/** Writes the goods of orders, where they were brought, and what customers complain about: every second one. */
export async function writeService(
  writer: RecordWriter,
  sources: Sources,
  share: number,
  orders: readonly Ordered[],
): Promise<void> {
  const brought = sources('assets', share)
  const assets = await writer.write(
    orders.flatMap((ordered) =>
      ordered.deal.sales
        .filter(({ offer }) => isGoods(offer.product))
        .map((sale) => makeAsset(brought, ordered, sale)),
    ),
  )
  const source = sources('cases', share)
  const cases = await writer.write(
    assets.flatMap((asset) => times(source.int(0, 2), () => makeCase(source, asset))),
  )
  const answers = sources('comments', share)
  await writer.write(cases.flatMap((one) => makeComments(answers, one)))
}
