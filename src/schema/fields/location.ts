import { compoundType } from './compound.ts'

export const location = compoundType({
  name: 'location',
  graphql: 'Location',
  soapType: 'urn:location',
  compose([latitude, longitude]) {
    return latitude === null || longitude === null ? null : { latitude, longitude }
  },
})
