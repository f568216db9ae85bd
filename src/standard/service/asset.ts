import { ApiError } from '../../base/api-error.ts'
import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { recordTypeId } from '../../schema/objects/expand-definition.ts'
import type { ObjectBehaviour } from '../behaviour/behaviour.ts'
import { ofProduct, showing } from '../behaviour/copied-fields.ts'
import { LAST_USE, notWritable } from '../behaviour/not-writable.ts'

export const ASSET: ObjectDefinition = {
  name: 'Asset',
  label: 'Asset',
  labelPlural: 'Assets',
  keyPrefix: '02i',
  fields: [
    {
      name: 'ContactId',
      label: 'Contact ID',
      type: 'reference',
      to: ['Contact'],
      relationship: 'Contact',
      children: 'Assets',
      onDelete: 'cascade',
    },
    {
      name: 'AccountId',
      label: 'Account ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'Account',
      children: 'Assets',
      onDelete: 'cascade',
    },
    {
      name: 'ParentId',
      label: 'Parent Asset ID',
      type: 'reference',
      to: ['Asset'],
      relationship: 'Parent',
      children: 'ChildAssets',
    },
    {
      name: 'RootAssetId',
      label: 'Root Asset ID',
      type: 'reference',
      to: ['Asset'],
      relationship: 'RootAsset',
      placeBy: { object: 'Asset', reference: 'ParentId', shows: 'top' },
      ...notWritable,
    },
    {
      name: 'AssetLevel',
      label: 'Asset Level',
      type: 'int',
      placeBy: { object: 'Asset', reference: 'ParentId', shows: 'level' },
      ...notWritable,
    },
    {
      name: 'Product2Id',
      label: 'Product ID',
      type: 'reference',
      to: ['Product2'],
      relationship: 'Product2',
      children: 'Assets',
    },
    {
      name: 'ProductCode',
      label: 'Product Code',
      type: 'string',
      length: 255,
      ...showing(ofProduct('ProductCode')),
    },
    {
      name: 'StockKeepingUnit',
      label: 'Product SKU',
      type: 'string',
      length: 180,
      ...showing(ofProduct('StockKeepingUnit')),
    },
    { name: 'IsCompetitorProduct', label: 'Competitor Asset', type: 'boolean' },
    { name: 'Name', label: 'Asset Name', type: 'string', length: 255, required: true, nameField: true },
    recordTypeId,
    { name: 'SerialNumber', label: 'Serial Number', type: 'string', length: 80 },
    { name: 'InstallDate', label: 'Install Date', type: 'date' },
    { name: 'PurchaseDate', label: 'Purchase Date', type: 'date' },
    { name: 'UsageEndDate', label: 'Usage End Date', type: 'date' },
    {
      name: 'Status',
      label: 'Status',
      type: 'picklist',
      length: 255,
      values: ['Shipped', 'Installed', 'Registered', 'Obsolete', 'Purchased'],
    },
    { name: 'Price', label: 'Price', type: 'currency', precision: 18, scale: 0 },
    { name: 'Quantity', label: 'Quantity', type: 'double', precision: 12, scale: 2 },
    { name: 'Description', label: 'Description', type: 'longtextarea', length: 32000 },
    {
      name: 'AssetProvidedById',
      label: 'Asset Provided By ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'AssetProvidedBy',
      children: 'ProvidedAssets',
    },
    {
      name: 'AssetServicedById',
      label: 'Asset Serviced By ID',
      type: 'reference',
      to: ['Account'],
      relationship: 'AssetServicedBy',
      children: 'ServicedAssets',
    },
    { name: 'IsInternal', label: 'Internal Asset', type: 'boolean' },
    { name: 'LastActivityDate', label: 'Last Activity', type: 'date', ...notWritable },
    ...LAST_USE,
  ],
}

/** Whose the asset is. */
const OWNERS = ['AccountId', 'ContactId']

/** (docs/reference/api/standard-objects.md#asset) */
export const ASSET_BEHAVIOUR: ObjectBehaviour = {
  hierarchy: { reference: 'ParentId' },
  derivation: {
    from: OWNERS,
    derive(record) {
      if (OWNERS.some((name) => record.get(name) !== null)) return
      throw new ApiError('FIELD_INTEGRITY_EXCEPTION', 'Every asset needs an account, a contact, or both.', {
        fields: OWNERS,
      })
    },
  },
}
