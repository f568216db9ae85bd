import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readDefinitions } from '../../src/definitions/files/read-definitions.ts'
import type { Imported } from '../../src/importers/imported.ts'
import { importTables } from '../../src/importers/table/import-tables.ts'
import type { Engine } from '../../src/storage/database/db.ts'
import { openEngine } from '../../src/storage/open-engine.ts'
import { onPostgres } from '../support/engine.ts'
import { openOrg } from '../support/org.ts'
import { makeOwnDatabase, type OwnDatabase } from '../support/own-database.ts'
import { sourceTablesSql } from './source-tables.sql.ts'

const skip = onPostgres ? false : 'reads the tables of a PostgreSQL server'

describe('tables of a PostgreSQL database', { skip }, () => {
  let database: OwnDatabase
  let engine: Engine
  let imported: Imported

  before(async () => {
    database = await makeOwnDatabase(process.env.TEST_DATABASE_URL!, 'tables')
    engine = await openEngine({ databaseUrl: database.url, poolSize: 1, data: '' })
    await engine.db.script(sourceTablesSql)
    imported = await importTables(engine.db, ['shop.customers', 'shop.order_items'])
  })
  after(async () => {
    await engine?.close()
    await database?.drop()
  })

  test('become objects', () => {
    assert.deepEqual(imported.files.objects, {
      Customers__c: {
        labelPlural: 'Customers',
        description: 'People who buy.',
        fields: {
          Id__c: { type: 'double', unique: true, externalId: true },
          Name: { type: 'string', length: 255, required: true },
          Email__c: { type: 'string', length: 120, required: true, unique: true, caseSensitive: true },
          Code__c: { type: 'string', length: 12, description: 'From the old shop.' },
          Balance__c: { type: 'double', precision: 12, scale: 2, required: true, default: 0 },
          Is_Active__c: { type: 'boolean', default: true },
          Born__c: { type: 'date', default: '1970-01-01' },
          Seen_At__c: { type: 'datetime' },
          Manager__c: { type: 'reference', to: 'Customers__c', children: 'Customers__r' },
        },
      },
      Order_Items__c: {
        labelPlural: 'Order Items',
        fields: {
          Order_No__c: { type: 'double', required: true },
          Line__c: { type: 'double', required: true },
          Customer__c: {
            type: 'reference',
            to: 'Customers__c',
            children: 'Order_Items_by_Customer_Id__r',
            onDelete: 'cascade',
            required: true,
          },
          Payer__c: { type: 'reference', to: 'Customers__c', children: 'Order_Items_by_Payer_Id__r' },
          Shop_Id__c: { type: 'string', length: 36 },
          Size__c: {
            type: 'picklist',
            restricted: true,
            values: ['S', 'M', 'Large'],
            required: true,
            default: 'M',
          },
          Note__c: { type: 'string' },
          Story__c: { type: 'longtextarea' },
          Label__c: { type: 'longtextarea', length: 500, default: "It's here" },
          Ratio__c: { type: 'double', scale: 3 },
          Exact__c: { type: 'double', scale: 6 },
          Huge__c: { type: 'double', scale: 4 },
          Price__c: { type: 'currency' },
          At_Time__c: { type: 'time', default: '10:00:00' },
          Made__c: { type: 'datetime' },
          Tags__c: { type: 'longtextarea', length: 131072 },
          Data__c: { type: 'json' },
          Picture__c: { type: 'base64' },
          Place__c: { type: 'longtextarea', length: 131072 },
          Total__c: { type: 'double', precision: 10, scale: 2 },
        },
      },
    })
  })

  test('what has no counterpart is noted', () => {
    assert.deepEqual(
      imported.notes.map(({ kind, location, what }) => `${kind}: ${location}: ${what}`),
      [
        "constraint: Customers__c.grown_up: CHECK ((born < '2020-01-01'::date))",
        'default: Customers__c.Id__c: a number that the table counts',
        'type: Customers__c.Name: a text without a limit, whose longest value has 3 characters: 255 at most',
        'default: Customers__c.Seen_At__c: now()',
        'constraint: Order_Items__c.loud: CREATE UNIQUE INDEX loud ON shop.order_items USING btree (upper(note))',
        'constraint: Order_Items__c.order_items_pkey: PRIMARY KEY (order_no, line)',
        'constraint: Order_Items__c.order_items_customer_id_note_key: UNIQUE (customer_id, note)',
        'constraint: Order_Items__c.order_items_payer_id_fkey: FOREIGN KEY (payer_id) REFERENCES shop.customers(id) ON DELETE SET DEFAULT',
        'default: Order_Items__c.Payer__c: 1',
        'default: Order_Items__c.Shop_Id__c: gen_random_uuid()',
        'type: Order_Items__c.Note__c: a text without a limit, whose longest value has 0 characters: 255 at most',
        'constraint: Order_Items__c.one_label: CREATE UNIQUE INDEX one_label ON shop.order_items USING btree (label)',
        'type: Order_Items__c.Ratio__c: a number without a limit, whose values have up to 3 digits after the point: 3 are kept',
        'type: Order_Items__c.Exact__c: a number without a limit, whose values have up to 6 digits after the point: 6 are kept',
        'type: Order_Items__c.Huge__c: 30 digits: 18 at most',
        'type: Order_Items__c.Made__c: a time without a zone: it is in UTC here',
        'type: Order_Items__c.Tags__c: an array: a long text',
        "default: Order_Items__c.Data__c: '{}'::jsonb",
        'type: Order_Items__c.Place__c: point: a long text',
        'formula: Order_Items__c.Total__c: (line * 2)',
      ],
    )
  })

  test('deploy', async () => {
    const { objects, problems } = readDefinitions(imported.files)
    assert.deepEqual(problems, [])
    const org = await openOrg()
    await org.deploy(objects)
    const customer = await org.create('Customers__c', { Name: 'Ada', Email__c: 'a@b.c', Id__c: 1 })
    await org.create('Order_Items__c', {
      Customer__c: customer,
      Order_No__c: 1,
      Line__c: 1,
    })
    const { body } = await org.call('GET', `/sobjects/Customers__c/${customer}`)
    assert.equal(body.Born__c, '1970-01-01')
  })

  test('a key to a table that is not imported stays a value', async () => {
    const { files, notes } = await importTables(engine.db, ['shop.order_items'], 'Line__c')
    assert.deepEqual(Object.keys(files.objects), ['Line__c'])
    assert.equal(files.objects.Line__c!.fields!.Customer__c!.type, 'double')
    assert.ok(
      notes.some(({ what }) => what === 'to the table shop.customers: --table shop.customers imports it too'),
    )
  })

  test('a table that is not there is said, with one that is near', async () => {
    await assert.rejects(importTables(engine.db, ['shop.customer']), {
      message: 'there is no table shop.customer; did you mean shop.customers?',
    })
    await assert.rejects(importTables(engine.db, ['shop.customers'], 'Buyer'), /--object Buyer__c/)
    await assert.rejects(importTables(engine.db, ['a', 'b'], 'Buyer__c'), /single --table/)
  })
})
