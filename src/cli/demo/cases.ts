import type { Faker } from '@faker-js/faker'
import type { Asset } from './assets.ts'
import { draft, type Saved } from './draft.ts'
import type { Scene } from './scene.ts'

export type Case = ReturnType<typeof makeCase>

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

const makeStatus = (random: Faker) =>
  random.helpers.weightedArrayElement([
    { weight: 5, value: 'Closed' },
    { weight: 3, value: 'Working' },
    { weight: 2, value: 'New' },
    { weight: 1, value: 'Escalated' },
  ])

function makeCase(random: Faker, scene: Scene, asset: Saved<Asset>) {
  const complaint = random.helpers.arrayElement(COMPLAINTS)
  const status = makeStatus(random)
  return draft('Case', {
    Subject: `${asset.Name} ${complaint}`,
    Description: `Our ${asset.Name} (serial number ${asset.SerialNumber}) ${complaint}.`,
    Status: status,
    Priority: status === 'Escalated' ? 'High' : scene.pick(random, 'Case', 'Priority'),
    IsEscalated: status === 'Escalated',
    Origin: scene.pick(random, 'Case', 'Origin'),
    Reason: scene.pick(random, 'Case', 'Reason'),
    Type: scene.pick(random, 'Case', 'Type'),
    AccountId: asset.AccountId,
    ContactId: asset.ContactId,
    AssetId: asset.Id,
    OwnerId: asset.OwnerId,
  })
}

/** Cases: customers complain about every second product that they bought. */
export const makeCases = (random: Faker, scene: Scene, assets: readonly Saved<Asset>[]): Case[] =>
  assets.flatMap((asset) =>
    Array.from({ length: random.number.int({ min: 0, max: 2 }) }, () => makeCase(random, scene, asset)),
  )
