import { isMetadataType } from '../definitions/custom-name.ts'
import type { ObjectType } from '../objects/object-type.ts'
import type { SchemaSnapshot } from '../snapshot/snapshot.ts'

/** Colours that are told apart, and that white letters can be read on. */
const COLORS = [
  '3A49DA',
  '5A1BA9',
  '8A033E',
  'A61A14',
  'B46A00',
  '4A7B1F',
  '0B827C',
  '107CAD',
  '444444',
  'CA2F8A',
] as const

/** The same for an object wherever it is asked for. */
function pickColors({ name }: ObjectType) {
  let sum = 0
  for (const character of name) sum = (sum * 31 + character.charCodeAt(0)) % 997
  return [{ color: COLORS[sum % COLORS.length]!, context: 'primary', theme: 'theme4' }]
}

/** Objects that people work with: those whose records belong to somebody, and the details of such records. */
const isTabbed = (object: ObjectType) =>
  object.definition.shareOf === undefined &&
  object.definition.historyOf === undefined &&
  object.definition.view === undefined &&
  object.definition.setting === undefined &&
  !isMetadataType(object.name) &&
  (object.custom || object.field('OwnerId') !== undefined)

const tabbed = ({ objects }: SchemaSnapshot) => objects.filter(isTabbed)

/** The answer of `/tabs`. There are no pictures: their addresses are empty. */
export const describeTabs = (schema: SchemaSnapshot, origin: string) =>
  tabbed(schema).map((object) => {
    const url = `${origin}/${object.keyPrefix}/o`
    return {
      colors: pickColors(object),
      custom: object.custom,
      iconUrl: '',
      icons: [],
      label: object.definition.labelPlural,
      miniIconUrl: '',
      mobileUrl: url,
      name: object.custom ? object.name : `standard-${object.name}`,
      sobjectName: object.name,
      timeToLive: null,
      url,
    }
  })

/** The answer of `/theme`. */
export const describeTheme = (schema: SchemaSnapshot) => ({
  themeItems: tabbed(schema).map((object) => ({ colors: pickColors(object), icons: [], name: object.name })),
})
