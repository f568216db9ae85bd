import { onlyId } from './check-characters.sql.ts'
import { flag, makeViewObject, nameText, text, time } from './view-object.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Midnight to midnight: open all day. */
const allDay = DAYS.flatMap((day) => [
  [`${day.toLowerCase()}starttime`, `'00:00'`],
  [`${day.toLowerCase()}endtime`, `'00:00'`],
])

/** The hours that every org has: around the clock. */
export const BUSINESS_HOURS = makeViewObject(
  { name: 'BusinessHours', label: 'Business Hours', labelPlural: 'Business Hours', keyPrefix: '01m' },
  [
    nameText('Name', 'Business Hours Name', 80),
    flag('IsActive', 'Active'),
    flag('IsDefault', 'Default Business Hours'),
    ...DAYS.flatMap((day) => [time(`${day}StartTime`, `${day} Start`), time(`${day}EndTime`, `${day} End`)]),
    text('TimeZoneSidKey', 'Time Zone', 40),
  ],
  {
    from: '"$org".organization org',
    columns: {
      id: onlyId('01m'),
      name: `'Default'`,
      isactive: 'true',
      isdefault: 'true',
      ...Object.fromEntries(allDay),
      timezonesidkey: 'org.timezonesidkey',
    },
  },
)
