import { SOAP_CLIENT_ID } from '../../auth/oauth/connected-app.ts'
import { withCheckCharacters } from './check-characters.sql.ts'
import { makeViewObject, moment, reference, text } from './view-object.ts'

/** The tokens that users were given. */
export const LOGIN_HISTORY = makeViewObject(
  { name: 'LoginHistory', label: 'Login History', labelPlural: 'Login History', keyPrefix: '0Ya' },
  [
    reference('UserId', 'User ID', 'User'),
    moment('LoginTime', 'Login Time'),
    text('LoginType', 'Login Type', 40),
    { ...text('SourceIp', 'Source IP', 45), help: 'Of an IPv6 address its first half.' },
    text('Status', 'Status', 128),
    text('Application', 'Application', 80),
    text('Browser', 'Browser', 64),
    text('Platform', 'Platform', 64),
    text('ApiType', 'API Type', 64),
    text('ApiVersion', 'API Version', 32),
  ],
  {
    from: '"$org"._login login',
    columns: {
      id: withCheckCharacters(`'0YaOB0' || lpad(login.id::text, 9, '0')`),
      userid: 'login.user_id',
      logintime: 'login.login_time',
      logintype: `case when login.client_id = '${SOAP_CLIENT_ID}' then 'Other Apex API' else 'Remote Access 2.0' end`,
      sourceip: 'login.address',
      status: `'Success'`,
      application: `coalesce(login.client_name, (select app.name from "$org".connectedapplication app where app.consumerkey = login.client_id and not app.isdeleted limit 1))`,
      apitype: 'login.api_type',
      apiversion: 'login.api_version',
      createddate: 'login.login_time',
      createdbyid: 'login.user_id',
      lastmodifieddate: 'login.login_time',
      lastmodifiedbyid: 'login.user_id',
      systemmodstamp: 'login.login_time',
    },
  },
)
