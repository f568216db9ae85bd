import type { Faker } from '@faker-js/faker'
import { draft } from './draft.ts'

export type Product = ReturnType<typeof makeProduct>

/** Prefix of the codes of sample products, by which they are recognized. */
export const CODE_PREFIX = 'DEMO-'

const SERIES = ['Alto', 'Borea', 'Cirrus', 'Delta', 'Evo', 'Fjord', 'Gala', 'Helio']

const GOODS = [
  'Pump',
  'Pressure Sensor',
  'Gateway',
  'Inverter',
  'Control Panel',
  'Valve',
  'Drive Unit',
  'Flow Meter',
  'Generator',
  'Heat Exchanger',
]

const SERVICES = ['Installation', 'Training Day', 'Service Plan', 'Remote Monitoring']

/** Every fourth one is a service. */
const isServiceAt = (number: number) => number % 4 === 3

/** Goods are installed at customers; services are not. */
export const isGoods = ({ StockKeepingUnit }: Product): boolean => StockKeepingUnit !== null

function makeProduct(random: Faker, number: number) {
  const isService = isServiceAt(number)
  const series = random.helpers.arrayElement(SERIES)
  const model = `${series} ${random.number.int({ min: 10, max: 99 }) * 10}`
  const code = `${CODE_PREFIX}${String(number + 1).padStart(4, '0')}`
  return draft('Product2', {
    Name: isService
      ? `${random.helpers.arrayElement(SERVICES)} ${model}`
      : `${model} ${random.helpers.arrayElement(GOODS)}`,
    ProductCode: code,
    StockKeepingUnit: isService ? null : `${series.slice(0, 2).toUpperCase()}${random.string.numeric(6)}`,
    IsActive: true,
    Description: isService ? `For everything of the series ${series}.` : `A part of the series ${series}.`,
  })
}

/** Products: goods and the services around them. */
export const makeProducts = (random: Faker, count: number): Product[] =>
  Array.from({ length: count }, (_, number) => makeProduct(random, number))
