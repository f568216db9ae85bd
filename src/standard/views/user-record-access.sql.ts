import { onlyId } from './check-characters.sql.ts'
import { flag, makeViewObject, picklist, reference } from './view-object.ts'

const KEY_PREFIX = '0ua'

/** Rights of a user on the records that a query names. Statements make the rows. */
export const USER_RECORD_ACCESS = makeViewObject(
  {
    name: 'UserRecordAccess',
    label: 'User Record Access',
    labelPlural: 'User Record Access',
    keyPrefix: KEY_PREFIX,
  },
  [
    reference('UserId', 'User ID', 'User'),
    // Of any object: a reference to all of them would be a child relationship of each.
    { name: 'RecordId', label: 'Record ID', type: 'id' },
    flag('HasReadAccess', 'Has Read Access'),
    flag('HasEditAccess', 'Has Edit Access'),
    flag('HasDeleteAccess', 'Has Delete Access'),
    flag('HasTransferAccess', 'Has Transfer Access'),
    flag('HasAllAccess', 'Has All Access'),
    picklist('MaxAccessLevel', 'Maximum Access Level', ['None', 'Read', 'Edit', 'Delete', 'Transfer', 'All']),
  ],
  {
    perCaller: true,
    needsFilter: true,
    from: '(values (0)) none where false',
    columns: { id: onlyId(KEY_PREFIX) },
  },
)
