import { compoundType } from './compound.ts'
import type { FieldDefinition } from './field-definition.ts'
import type { FieldType } from './field-type.ts'

/** `Site__c` is made of Site__Latitude__s and Site__Longitude__s. */
function makeParts(field: FieldDefinition): FieldDefinition[] {
  return ['Latitude', 'Longitude'].map((name) => ({
    name: `${field.name.slice(0, -3)}__${name}__s`,
    label: `${field.label} (${name})`,
    type: 'double',
    precision: 18,
    scale: 15,
    compound: field.name,
    ...(field.trackHistory === true && { trackHistory: true }),
  }))
}

export const location: FieldType = compoundType({
  name: 'location',
  label: 'Geolocation',
  graphql: 'Location',
  soapType: 'urn:location',
  typescript: 'Location',
  sourceFormat: {
    name: 'Location',
    reads: [],
    write: () => ({ displayLocationInDecimal: true, scale: 6 }),
  },
  makeParts,
  formula: { type: 'Location' },
  compose([latitude, longitude]) {
    return latitude === null || longitude === null ? null : { latitude, longitude }
  },
  coordinates: (parts) => [parts[0]!, parts[1]!],
})
