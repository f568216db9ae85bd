import type { ObjectDefinition } from '../../schema/definitions/definition.ts'
import { makeEmpty } from '../views/make-empty.sql.ts'
import { flag, longText, moment, nameText, picklist, reference, text, whole } from '../views/view-object.ts'
import { entityDefinitionId, manageableState } from './custom-object.sql.ts'

/* What tools ask about packages, sandboxes, flows, pages and subscriptions, of which an org has none. */

const developerName = nameText('DeveloperName', 'Developer Name', 80)
const masterLabel = text('MasterLabel', 'Master Label')
const namespacePrefix = text('NamespacePrefix', 'Namespace Prefix', 15)
const description = longText('Description', 'Description')
const packageReference = reference('SubscriberPackageId', 'Subscriber Package ID', 'SubscriberPackage')

export const PACKAGING_OBJECTS: readonly ObjectDefinition[] = [
  makeEmpty('InstalledSubscriberPackage', 'Installed Subscriber Package', '0A3', [
    packageReference,
    reference('SubscriberPackageVersionId', 'Subscriber Package Version ID', 'SubscriberPackageVersion'),
    text('MinPackageVersionId', 'Minimum Package Version ID', 18),
  ]),
  makeEmpty('SubscriberPackage', 'Subscriber Package', '033', [
    nameText('Name', 'Name'),
    namespacePrefix,
    description,
    flag('IsPackageValid', 'Package Valid'),
  ]),
  makeEmpty('SubscriberPackageVersion', 'Subscriber Package Version', '04t', [
    nameText('Name', 'Name'),
    packageReference,
    whole('MajorVersion', 'Major Version'),
    whole('MinorVersion', 'Minor Version'),
    whole('PatchVersion', 'Patch Version'),
    whole('BuildNumber', 'Build Number'),
    text('ReleaseState', 'Release State', 40),
    text('PublisherName', 'Publisher Name'),
    text('InstallValidationStatus', 'Install Validation Status', 80),
    flag('IsBeta', 'Beta'),
    flag('IsDeprecated', 'Deprecated'),
    flag('IsManaged', 'Managed'),
    flag('IsOrgDependent', 'Org Dependent'),
    flag('IsPasswordProtected', 'Password Protected'),
    description,
  ]),
  makeEmpty(
    'Package2',
    'Package',
    '0Ho',
    [
      nameText('Name', 'Name', 80),
      text('SubscriberPackageId', 'Subscriber Package ID', 18),
      namespacePrefix,
      text('ContainerOptions', 'Container Options', 40),
      text('ConvertedFromPackageId', 'Converted From Package ID', 18),
      text('PackageErrorUsername', 'Error Notification Username'),
      flag('IsDeprecated', 'Deprecated'),
      flag('IsOrgDependent', 'Org Dependent'),
      description,
    ],
    'Packages',
  ),
  makeEmpty(
    'SandboxProcess',
    'Sandbox Process',
    '0GR',
    [
      nameText('SandboxName', 'Sandbox Name', 40),
      text('SandboxInfoId', 'Sandbox Info ID', 18),
      text('SandboxOrganization', 'Sandbox Organization', 18),
      text('SourceId', 'Source Sandbox Info ID', 18),
      text('LicenseType', 'License Type', 40),
      text('Status', 'Status', 40),
      text('TemplateId', 'Template ID', 18),
      text('ApexClassId', 'Class ID', 18),
      whole('CopyProgress', 'Copy Progress'),
      whole('HistoryDays', 'History Days'),
      flag('AutoActivate', 'Auto Activate'),
      flag('CopyChatter', 'Copy Chatter'),
      moment('StartDate', 'Start Date'),
      moment('EndDate', 'End Date'),
      moment('ActivatedDate', 'Activated Date'),
      text('ActivatedById', 'Activated By ID', 18),
      description,
    ],
    'Sandbox Processes',
  ),
  makeEmpty('Flow', 'Flow Version', '301', [
    { ...masterLabel, nameField: true },
    text('DefinitionId', 'Flow Definition ID', 18),
    whole('VersionNumber', 'Version Number'),
    picklist('Status', 'Status', ['Active', 'Draft', 'Obsolete', 'InvalidDraft']),
    text('ProcessType', 'Process Type', 80),
    manageableState,
    description,
  ]),
  makeEmpty('FlexiPage', 'Lightning Page', '0M0', [
    developerName,
    masterLabel,
    namespacePrefix,
    text('Type', 'Type', 80),
    entityDefinitionId,
    manageableState,
    description,
  ]),
  makeEmpty('ManagedEventSubscription', 'Managed Event Subscription', '18x', [
    developerName,
    masterLabel,
    text('Language', 'Master Language', 40),
    text('TopicName', 'Topic Name'),
    picklist('DefaultReplay', 'Default Replay', ['LATEST', 'EARLIEST']),
    picklist('ErrorRecoveryReplay', 'Error Recovery Replay', ['LATEST', 'EARLIEST']),
    picklist('State', 'State', ['RUN', 'STOP']),
  ]),
]
