import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import type { FieldDefinition } from '../../schema/fields/field-definition.ts'
import { makeEmpty } from './make-empty.sql.ts'
import { day, flag, longText, moment, nameText, picklist, reference, text, whole } from './view-object.ts'

/*
 * Objects of which an org has no records, and which clients ask for nevertheless: code, reports, documents, approvals,
 * calendars.
 * A query of them finds nothing instead of failing.
 */

const namespace = text('NamespacePrefix', 'Namespace Prefix', 15)
const developerName = text('DeveloperName', 'API Name', 80)
const description = text('Description', 'Description')
const contentType = text('ContentType', 'MIME Type', 120)
const apiVersion: FieldDefinition = {
  name: 'ApiVersion',
  label: 'Api Version',
  type: 'double',
  precision: 18,
  scale: 1,
}
const codeStatus = picklist('Status', 'Status', ['Inactive', 'Active', 'Deleted'])
const length = whole('LengthWithoutComments', 'Size Without Comments')

export const EMPTY_OBJECTS: readonly ObjectDefinition[] = [
  makeEmpty(
    'ApexClass',
    'Apex Class',
    '01p',
    [
      namespace,
      nameText('Name', 'Name'),
      apiVersion,
      codeStatus,
      flag('IsValid', 'Is Valid'),
      longText('Body', 'Body'),
      length,
    ],
    'Apex Classes',
  ),
  makeEmpty('ApexTrigger', 'Apex Trigger', '01q', [
    namespace,
    nameText('Name', 'Name'),
    text('TableEnumOrId', 'Custom Object Definition ID', 40),
    apiVersion,
    codeStatus,
    flag('IsValid', 'Is Valid'),
    longText('Body', 'Body'),
    length,
  ]),
  makeEmpty('StaticResource', 'Static Resource', '081', [
    namespace,
    nameText('Name', 'Name'),
    contentType,
    whole('BodyLength', 'Size'),
    longText('Body', 'Body'),
    description,
    picklist('CacheControl', 'Cache Control', ['Private', 'Public']),
  ]),
  makeEmpty('Folder', 'Folder', '00l', [
    reference('ParentId', 'Parent Folder ID', 'Folder'),
    nameText('Name', 'Name', 80),
    developerName,
    picklist('AccessType', 'Access Type', ['Shared', 'Public', 'Hidden', 'PublicInternal']),
    flag('IsReadonly', 'Read Only'),
    picklist('Type', 'Type', ['Document', 'Email', 'Report', 'Dashboard', 'EmailTemplate']),
    namespace,
  ]),
  makeEmpty('Report', 'Report', '00O', [
    reference('OwnerId', 'Folder ID', 'Folder', 'User'),
    text('FolderName', 'Folder Name'),
    description,
    nameText('Name', 'Report Name', 80),
    developerName,
    namespace,
    moment('LastRunDate', 'Last Run'),
    text('Format', 'Format', 40),
  ]),
  makeEmpty('Dashboard', 'Dashboard', '01Z', [
    reference('FolderId', 'Folder ID', 'Folder', 'User'),
    text('FolderName', 'Folder Name'),
    nameText('Title', 'Title', 80),
    developerName,
    namespace,
    description,
    reference('RunningUserId', 'Running User ID', 'User'),
  ]),
  makeEmpty('Document', 'Document', '015', [
    reference('FolderId', 'Folder ID', 'Folder', 'User'),
    nameText('Name', 'Document Name'),
    developerName,
    namespace,
    contentType,
    text('Type', 'File Extension', 40),
    flag('IsPublic', 'Externally Available'),
    whole('BodyLength', 'Body Length'),
    text('Url', 'Url'),
    description,
    text('Keywords', 'Keywords'),
    reference('AuthorId', 'Author ID', 'User'),
  ]),
  makeEmpty('EmailTemplate', 'Email Template', '00X', [
    nameText('Name', 'Email Template Name', 80),
    developerName,
    namespace,
    reference('OwnerId', 'Owner ID', 'User'),
    reference('FolderId', 'Folder ID', 'Folder', 'User'),
    text('FolderName', 'Folder Name'),
    picklist('TemplateType', 'Template Type', ['text', 'html', 'custom', 'visualforce']),
    flag('IsActive', 'Available For Use'),
    description,
    text('Subject', 'Subject'),
    longText('HtmlValue', 'HTML Value'),
    longText('Body', 'Body'),
    text('Encoding', 'Encoding', 40),
  ]),
  makeEmpty(
    'OrgWideEmailAddress',
    'Organization-wide From Email Address',
    '0D2',
    [
      text('Address', 'Email Address'),
      nameText('DisplayName', 'Display Name'),
      flag('IsAllowAllProfiles', 'Allow All Profiles'),
      text('Purpose', 'Purpose', 40),
    ],
    'Organization-wide From Email Addresses',
  ),
  makeEmpty('ProcessInstance', 'Process Instance', '04g', [
    {
      ...reference(
        'TargetObjectId',
        'Target Object ID',
        'Account',
        'Contact',
        'Lead',
        'Opportunity',
        'Case',
        'Contract',
        'Quote',
      ),
      children: 'ProcessInstances',
      describedDelete: 'cascade',
    },
    picklist('Status', 'Status', [
      'Started',
      'Pending',
      'Approved',
      'Rejected',
      'Removed',
      'Hold',
      'NoResponse',
    ]),
    moment('CompletedDate', 'Completed Date'),
    reference('LastActorId', 'Last Actor ID', 'User'),
    reference('SubmittedById', 'Submitted By ID', 'User'),
  ]),
  makeEmpty('ProcessInstanceStep', 'Process Instance Step', '04h', [
    { ...reference('ProcessInstanceId', 'Process Instance ID', 'ProcessInstance'), children: 'Steps' },
    picklist('StepStatus', 'Step Status', [
      'Started',
      'Pending',
      'Approved',
      'Rejected',
      'Removed',
      'Reassigned',
    ]),
    reference('OriginalActorId', 'Original Actor ID', 'Group', 'User'),
    reference('ActorId', 'Actor ID', 'User'),
    text('Comments', 'Comments'),
  ]),
  makeEmpty('ProcessInstanceWorkitem', 'Approval Request', '04i', [
    { ...reference('ProcessInstanceId', 'Process Instance ID', 'ProcessInstance'), children: 'Workitems' },
    reference('OriginalActorId', 'Original Actor ID', 'Group', 'User'),
    reference('ActorId', 'Actor ID', 'Group', 'User'),
  ]),
  makeEmpty(
    'Holiday',
    'Holiday',
    '0C0',
    [
      nameText('Name', 'Holiday Name', 80),
      description,
      flag('IsAllDay', 'All Day'),
      day('ActivityDate', 'Holiday Date'),
      whole('StartTimeInMinutes', 'Start Time In Minutes From Midnight'),
      whole('EndTimeInMinutes', 'End Time In Minutes From Midnight'),
      flag('IsRecurrence', 'Recurring Holiday'),
    ],
    'Holidays',
  ),
  makeEmpty('Calendar', 'Calendar', '023', [
    nameText('Name', 'Calendar Name', 80),
    reference('UserId', 'User ID', 'User'),
    picklist('Type', 'Calendar Type', ['User', 'Resource', 'Holiday', 'Public']),
    flag('IsActive', 'Active'),
  ]),
  makeEmpty('PermissionSetLicense', 'Permission Set License', '0PL', [
    nameText('DeveloperName', 'Name', 80),
    text('MasterLabel', 'Permission Set License Label', 80),
    text('PermissionSetLicenseKey', 'Permission Set License Key', 80),
    whole('TotalLicenses', 'Total Licenses'),
    whole('UsedLicenses', 'Used Licenses'),
    picklist('Status', 'Status', ['Active', 'Disabled']),
    day('ExpirationDate', 'Expiration Date'),
  ]),
  makeEmpty('PermissionSetGroup', 'Permission Set Group', '0PG', [
    nameText('DeveloperName', 'API Name', 80),
    text('MasterLabel', 'Label', 80),
    namespace,
    description,
    picklist('Status', 'Status', ['Updated', 'Outdated', 'Updating', 'Failed']),
  ]),
]
