import { derivedRecordId } from '../../base/record-id.ts'
import { makeViewObject, nameText, text, whole } from './view-object.ts'

/** Of the only license that there is. */
export const USER_LICENSE_ID = derivedRecordId('100', '100')

/** The only license there is: every user but the guest has it. */
export const USER_LICENSE = makeViewObject(
  { name: 'UserLicense', label: 'User License', labelPlural: 'User Licenses', keyPrefix: '100' },
  [
    text('LicenseDefinitionKey', 'License Def. ID', 40),
    nameText('Name', 'Name', 40),
    text('MasterLabel', 'Master Label', 40),
    text('Status', 'Status', 40),
    { ...whole('TotalLicenses', 'Total Licenses'), help: 'Empty: their number is not limited.' },
    whole('UsedLicenses', 'Used Licenses'),
  ],
  {
    from: '(values (0)) one',
    columns: {
      id: `'${USER_LICENSE_ID}'`,
      licensedefinitionkey: `'SFDC'`,
      name: `'Svc'`,
      masterlabel: `'Svc'`,
      status: `'Active'`,
      usedlicenses: `select count(*) from "$org"."user" u where u.isactive and not u.isdeleted and u.usertype is distinct from 'Guest'`,
    },
  },
)
