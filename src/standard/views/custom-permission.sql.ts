import { withCheckCharacters } from './check-characters.sql.ts'
import { longText, makeViewObject, nameText, text } from './view-object.ts'

/** The custom permissions that permission sets grant. (docs/how-to/permissions.md#custom-permissions) */
export const CUSTOM_PERMISSION = makeViewObject(
  {
    name: 'CustomPermission',
    label: 'Custom Permission',
    labelPlural: 'Custom Permissions',
    keyPrefix: '0CP',
  },
  [
    nameText('DeveloperName', 'Name', 80),
    text('MasterLabel', 'Label', 80),
    text('NamespacePrefix', 'Namespace Prefix', 15),
    longText('Description', 'Description'),
  ],
  {
    from: `(select min(permissionname) as name from "$org"."setupentityaccess"
            where permissionname is not null and not isdeleted group by lower(permissionname)) granted`,
    columns: {
      id: withCheckCharacters(`'0CPOB0' || substr(md5(lower(granted.name)), 1, 9)`),
      developername: 'granted.name',
      masterlabel: `replace(granted.name, '_', ' ')`,
    },
  },
)
