import { compoundType } from './compound.ts'

/** All keys are present when any part has a value; an empty address is null. (docs/reference/api/records.md#field-values) */
export const address = compoundType({
  name: 'address',
  graphql: 'Address',
  soapType: 'urn:address',
  compose(parts) {
    if (parts.every((part) => part === null)) return null
    const [street, city, state, postalCode, country, latitude, longitude, geocodeAccuracy] = parts
    return { city, country, geocodeAccuracy, latitude, longitude, postalCode, state, street }
  },
})
