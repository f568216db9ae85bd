import { compoundType } from './compound.ts'
import type { FieldDefinition } from './field-definition.ts'
import type { FieldType } from './field-type.ts'

const GEOCODE_ACCURACIES = [
  'Address',
  'NearAddress',
  'Block',
  'Street',
  'ExtendedZip',
  'Zip',
  'Neighborhood',
  'City',
  'County',
  'State',
  'Unknown',
]

/** `BillingAddress` is made of BillingStreet, BillingCity, ...; `Home__c` of Home__Street__s, .... */
function makeParts(field: FieldDefinition): FieldDefinition[] {
  const custom = field.name.endsWith('__c')
  const prefix = custom ? `${field.name.slice(0, -3)}__` : field.name.slice(0, -'Address'.length)
  const labels = field.label.replace(/ ?Address$/, '')
  const part = (
    name: string,
    label: string,
    rest: Omit<FieldDefinition, 'name' | 'label'>,
  ): FieldDefinition => ({
    name: `${prefix}${name}${custom ? '__s' : ''}`,
    label: labels === '' ? label : `${labels} ${label}`,
    compound: field.name,
    ...(field.trackHistory === true && { trackHistory: true }),
    ...rest,
  })
  return [
    part('Street', 'Street', { type: 'textarea', length: 255 }),
    part('City', 'City', { type: 'string', length: 40 }),
    part('State', 'State/Province', { type: 'string', length: 80 }),
    part('PostalCode', 'Zip/Postal Code', { type: 'string', length: 20 }),
    part('Country', 'Country', { type: 'string', length: 80 }),
    part('Latitude', 'Latitude', { type: 'double', precision: 18, scale: 15 }),
    part('Longitude', 'Longitude', { type: 'double', precision: 18, scale: 15 }),
    part('GeocodeAccuracy', 'Geocode Accuracy', {
      type: 'picklist',
      length: 40,
      values: GEOCODE_ACCURACIES,
      restricted: true,
    }),
  ]
}

/** All keys are present when any part has a value; an empty address is null. (docs/reference/api/records.md#field-values) */
export const address: FieldType = compoundType({
  name: 'address',
  label: 'Address',
  graphql: 'Address',
  soapType: 'urn:address',
  typescript: 'Address',
  sourceFormat: { name: 'Address', reads: [] },
  makeParts,
  compose(parts) {
    if (parts.every((part) => part === null)) return null
    const [street, city, state, postalCode, country, latitude, longitude, geocodeAccuracy] = parts
    return { city, country, geocodeAccuracy, latitude, longitude, postalCode, state, street }
  },
  coordinates: (parts) => [parts[5]!, parts[6]!],
})
