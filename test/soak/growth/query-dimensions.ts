import { type Dimension, query, repeat, where } from './dimension.ts'

const FIELDS = ['Name', 'Phone', 'Fax', 'Site', 'AccountNumber', 'Website', 'BillingCity', 'ShippingCity']

const fieldAt = (i: number) => FIELDS[i % FIELDS.length]!

const ACCOUNT_FIELDS = [
  ...['Id', 'Name', 'Phone', 'Fax', 'Website', 'Industry', 'Type', 'Description', 'AnnualRevenue'],
  ...['NumberOfEmployees', 'BillingCity', 'BillingStreet', 'BillingCountry', 'CreatedDate', 'SystemModstamp'],
]

/** Different fields of an account and its parents: one field twice is refused. */
const pathAt = (i: number) =>
  'Parent.'.repeat(Math.floor(i / ACCOUNT_FIELDS.length)) + ACCOUNT_FIELDS[i % ACCOUNT_FIELDS.length]!

/** Queries. */
export const QUERY_DIMENSIONS: readonly Dimension[] = [
  { name: 'ORs of one field', size: 4000, make: (n) => where(repeat(n, (i) => `Name = 'n${i}'`, ' OR ')) },
  {
    name: 'ANDs of != of one field',
    size: 4000,
    make: (n) => where(repeat(n, (i) => `Name != 'n${i}'`, ' AND ')),
  },
  {
    name: 'ORs of LIKEs of one field',
    size: 4000,
    make: (n) => where(repeat(n, (i) => `Name LIKE 'n${i}%'`, ' OR ')),
  },
  {
    name: 'ORs of several fields',
    size: 4000,
    make: (n) => where(repeat(n, (i) => `${fieldAt(i)} = 'n${i}'`, ' OR ')),
  },
  { name: 'ORs of <', size: 4000, make: (n) => where(repeat(n, (i) => `Name < '${i}'`, ' OR ')) },
  {
    name: 'ORs of pairs',
    size: 2000,
    make: (n) => where(repeat(n, (i) => `(Name = 'n${i}' AND Phone = '${i}')`, ' OR ')),
  },
  {
    name: 'ORs of toLabel',
    size: 2000,
    make: (n) =>
      query(`SELECT Id FROM User WHERE ${repeat(n, (i) => `toLabel(TimeZoneSidKey) = 'n${i}'`, ' OR ')}`),
  },
  {
    name: 'ORs of toLabel LIKE',
    size: 200,
    make: (n) =>
      query(
        `SELECT Id FROM User WHERE ${repeat(n, (i) => `toLabel(TimeZoneSidKey) LIKE '%a%e%${i}'`, ' OR ')}`,
      ),
  },
  { name: 'wildcards of LIKE', size: 3900, make: (n) => where(`Name LIKE '${'%a'.repeat(n / 2)}~'`) },
  {
    name: 'wildcards of toLabel LIKE',
    size: 3900,
    make: (n) => query(`SELECT Id FROM User WHERE toLabel(TimeZoneSidKey) LIKE '${'%a'.repeat(n / 2)}~'`),
  },
  {
    name: 'parentheses inside each other',
    size: 100,
    make: (n) => where(`${'('.repeat(n)}Name = 'a'${')'.repeat(n)}`),
  },
  {
    name: 'ANDs and ORs inside each other',
    size: 96,
    make: (n) =>
      where(
        `${repeat(n, (i) => `(${fieldAt(i)} = '${i}' ${i % 2 === 0 ? 'AND' : 'OR'}`)} Name = 'a'${')'.repeat(n)}`,
      ),
  },
  {
    name: 'wide and deep',
    size: 96,
    make: (n) =>
      where(
        `${repeat(n, (i) => `(${repeat(20, (k) => `${fieldAt(k)} < '${i}'`, i % 2 === 0 ? ' AND ' : ' OR ')} ${i % 2 === 0 ? 'AND' : 'OR'}`)} Name = 'a'${')'.repeat(n)}`,
      ),
  },
  { name: 'values of IN', size: 8000, make: (n) => where(`Name IN (${repeat(n, (i) => `'n${i}'`, ',')})`) },
  {
    name: 'values of NOT IN',
    size: 8000,
    make: (n) => where(`Name NOT IN (${repeat(n, (i) => `'n${i}'`, ',')})`),
  },
  {
    name: 'ids of IN',
    size: 4000,
    make: (n) => where(`Id IN (${repeat(n, (i) => `'001${String(i).padStart(12, '0')}'`, ',')})`),
  },
  {
    name: 'named days of IN',
    size: 4000,
    make: (n) => where(`CreatedDate IN (${repeat(n, (i) => `LAST_N_DAYS:${i}`, ',')})`),
  },
  {
    name: 'named days',
    size: 2000,
    make: (n) => where(repeat(n, (i) => `CreatedDate < LAST_N_DAYS:${i}`, ' OR ')),
  },
  { name: 'nulls of IN', size: 8000, make: (n) => where(`Name IN (${repeat(n, () => 'null', ',')})`) },
  {
    name: 'numbers of IN',
    size: 8000,
    make: (n) => where(`AnnualRevenue IN (${repeat(n, (i) => `${i}.5`, ',')})`),
  },
  {
    name: 'distances',
    size: 500,
    make: (n) =>
      where(repeat(n, (i) => `DISTANCE(BillingAddress, GEOLOCATION(${i % 90},1), 'km') < ${i}`, ' OR ')),
  },
  {
    name: 'fields with aliases',
    size: 1500,
    make: (n) => query(`SELECT ${repeat(n, (i) => `COUNT(Name) a${i}`, ',')} FROM Account`),
  },
  {
    name: 'formatted fields',
    size: 1500,
    make: (n) => query(`SELECT ${repeat(n, (i) => `FORMAT(Name) a${i}`, ',')} FROM Account`),
  },
  {
    name: 'formatted amounts',
    size: 1500,
    make: (n) => query(`SELECT ${repeat(n, (i) => `FORMAT(AnnualRevenue) a${i}`, ',')} FROM Account`),
  },
  {
    name: 'formatted moments',
    size: 1500,
    make: (n) => query(`SELECT ${repeat(n, (i) => `FORMAT(CreatedDate) a${i}`, ',')} FROM Account`),
  },
  {
    name: 'one field many times',
    size: 8000,
    make: (n) => query(`SELECT ${repeat(n, () => 'Name', ',')} FROM Account`),
  },
  {
    name: 'parent paths',
    size: 3000,
    make: (n) => query(`SELECT ${repeat(n, () => 'Parent.Parent.Parent.Name', ',')} FROM Account`),
  },
  {
    name: 'unknown fields',
    size: 8000,
    make: (n) => query(`SELECT ${repeat(n, (i) => `No${i}`, ',')} FROM Account`),
  },
  {
    name: 'fields of TYPEOF',
    size: 60,
    mustSucceed: true,
    make: (n) => query(`SELECT TYPEOF What WHEN Account THEN ${repeat(n, pathAt, ',')} END FROM Task`),
  },
  {
    name: 'items of ORDER BY',
    size: 1500,
    make: (n) => query(`SELECT Id FROM Account ORDER BY ${repeat(n, fieldAt, ',')}`),
  },
  {
    name: 'items of GROUP BY',
    size: 8,
    make: (n) => query(`SELECT COUNT(Id) FROM Account GROUP BY CUBE(${repeat(n, fieldAt, ',')})`),
  },
  {
    name: 'terms of HAVING',
    size: 2000,
    make: (n) =>
      query(`SELECT Name FROM Account GROUP BY Name HAVING ${repeat(n, (i) => `COUNT(Id) > ${i}`, ' OR ')}`),
  },
  { name: 'blanks', size: 90_000, make: (n) => query(`SELECT Id FROM Account${' '.repeat(n)}LIMIT 1`) },
  {
    name: 'rows before an error',
    size: 90_000,
    make: (n) => query(`SELECT Id${'\n'.repeat(n)}, No FROM Account`),
  },
  { name: 'words of one row before an error', size: 40_000, make: (n) => query(`SELECT ${'a '.repeat(n)}`) },
  { name: 'an identifier', size: 90_000, make: (n) => query(`SELECT ${'a'.repeat(n)} FROM Account`) },
  { name: 'a string', size: 90_000, make: (n) => where(`Name = '${'a'.repeat(n)}'`) },
  { name: 'escapes of a string', size: 40_000, make: (n) => where(`Name = '${"\\'".repeat(n)}'`) },
  { name: 'digits', size: 90_000, make: (n) => where(`AnnualRevenue = ${'1'.repeat(n)}`) },
  {
    name: 'characters of a time',
    size: 90_000,
    make: (n) => where(`CreatedDate = 2024-01-01T00:00:00.${'1'.repeat(n)}Z`),
  },
  { name: 'points of a path', size: 40_000, make: (n) => query(`SELECT ${'a.'.repeat(n)}b FROM Account`) },
  {
    name: 'aliases of FROM',
    size: 5000,
    make: (n) => query(`SELECT Id FROM Account a${repeat(n, (i) => `, a.Parent p${i}`, '')}`),
  },
]
