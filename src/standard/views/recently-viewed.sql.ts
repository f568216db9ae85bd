import { onlyId } from './check-characters.sql.ts'
import { flag, makeViewObject, moment, nameText, picklist, reference, text } from './view-object.ts'

/** Ids of its records are those of the records viewed: none has this prefix. */
const KEY_PREFIX = '0rv'

/** The records that the caller viewed or referenced lately, of all objects. Statements make the rows. */
export const RECENTLY_VIEWED = makeViewObject(
  {
    name: 'RecentlyViewed',
    label: 'Recently Viewed',
    labelPlural: 'Recently Viewed',
    keyPrefix: KEY_PREFIX,
  },
  [
    nameText('Name', 'Name'),
    text('LastName', 'Last Name', 80),
    text('FirstName', 'First Name', 40),
    // Not listed: an org has objects of its own.
    { ...picklist('Type', 'Type', []), restricted: false },
    text('Alias', 'Alias', 8),
    reference('UserRoleId', 'Role ID', 'UserRole'),
    reference('RecordTypeId', 'Record Type ID', 'RecordType'),
    flag('IsActive', 'Active'),
    reference('ProfileId', 'Profile ID', 'Profile'),
    text('Title', 'Title', 128),
    { name: 'Email', label: 'Email', type: 'email', length: 80 },
    { name: 'Phone', label: 'Phone', type: 'phone', length: 40 },
    text('NameOrAlias', 'Name or Alias'),
    moment('LastViewedDate', 'Last Viewed Date'),
    moment('LastReferencedDate', 'Last Referenced Date'),
    text('Language', 'Language', 40),
  ],
  {
    perCaller: true,
    from: '(values (0)) none where false',
    columns: { id: onlyId(KEY_PREFIX) },
  },
)
