import type { Component } from './find-components.ts'

/** Types by their folders, where the ending of a file does not say the type. */
const FOLDERS: Readonly<Record<string, string>> = {
  analyticSnapshots: 'AnalyticSnapshot',
  applications: 'CustomApplication',
  authproviders: 'AuthProvider',
  cachePartitions: 'PlatformCachePartition',
  certs: 'Certificate',
  classes: 'ApexClass',
  components: 'ApexComponent',
  contentassets: 'ContentAsset',
  customindex: 'CustomIndex',
  dataSources: 'ExternalDataSource',
  datacategorygroups: 'DataCategoryGroup',
  documentTemplates: 'DocumentTemplate',
  dw: 'DataWeaveResource',
  emailservices: 'EmailServicesFunction',
  eventRelays: 'EventRelayConfig',
  externalClientApps: 'ExternalClientApplication',
  feedFilters: 'CustomFeedFilter',
  fieldRestrictionRules: 'FieldRestrictionRule',
  flexipages: 'FlexiPage',
  flowtests: 'FlowTest',
  letterhead: 'Letterhead',
  matchingRules: 'MatchingRules',
  messageChannels: 'LightningMessageChannel',
  mutingpermissionsets: 'MutingPermissionSet',
  notificationtypes: 'CustomNotificationType',
  objectTranslations: 'CustomObjectTranslation',
  omniDataTransforms: 'OmniDataTransform',
  omniIntegrationProcedures: 'OmniIntegrationProcedure',
  omniScripts: 'OmniScript',
  pages: 'ApexPage',
  permissionsetgroups: 'PermissionSetGroup',
  remoteSiteSettings: 'RemoteSiteSetting',
  restrictionRules: 'RestrictionRule',
  samlssoconfigs: 'SamlSsoConfig',
  scontrols: 'Scontrol',
  siteDotComSites: 'SiteDotCom',
  sites: 'CustomSite',
  staticresources: 'StaticResource',
  tabs: 'CustomTab',
  testSuites: 'ApexTestSuite',
  translations: 'Translations',
  triggers: 'ApexTrigger',
  useraccesspolicies: 'UserAccessPolicy',
  weblinks: 'CustomPageWebLink',
}

/** Types whose components may be in folders of their own, which are parts of their names. */
const NESTED: Readonly<Record<string, string>> = {
  dashboards: 'Dashboard',
  documents: 'Document',
  email: 'EmailTemplate',
  reports: 'Report',
}

/** Types of components of several files, with how many folders their names are. */
const BUNDLES: Readonly<Record<string, readonly [type: string, depth: number]>> = {
  aura: ['AuraDefinitionBundle', 1],
  digitalExperiences: ['DigitalExperienceBundle', 2],
  experiences: ['ExperienceBundle', 1],
  genAiFunctions: ['GenAiFunction', 1],
  genAiPlannerBundles: ['GenAiPlannerBundle', 1],
  lightningTypes: ['LightningTypeBundle', 1],
  lwc: ['LightningComponentBundle', 1],
  waveTemplates: ['WaveTemplateBundle', 1],
}

const find = <T>(types: Readonly<Record<string, T>>, folder: string): T | undefined =>
  Object.hasOwn(types, folder) ? types[folder] : undefined

/** `Item__c.field-meta.xml` without what tells its type. */
const withoutEnding = (name: string) => name.replace(/-meta\.xml$/, '').replace(/(?<=.)\.[^.]*$/, '')

/** Returns the component of a file whose type has no place here, as far as its path tells. */
export function nameOtherType(path: string): Pick<Component, 'type' | 'fullName'> {
  const parts = path.split('/')
  const file = withoutEnding(parts.at(-1)!)
  for (const [at, folder] of parts.slice(0, -1).entries()) {
    const inside = parts.slice(at + 1)
    const bundle = find(BUNDLES, folder)
    if (bundle !== undefined) {
      const [type, depth] = bundle
      // The description of a bundle may stand beside its folder.
      const names = inside.length > depth ? inside.slice(0, depth) : [...inside.slice(0, -1), file]
      return { type, fullName: names.join('/') }
    }
    const nested = find(NESTED, folder)
    if (nested !== undefined) return { type: nested, fullName: [...inside.slice(0, -1), file].join('/') }
    const type = find(FOLDERS, folder)
    if (type !== undefined) return { type, fullName: withoutEnding(inside[0]!) }
  }
  const suffix = /\.([A-Za-z]+)(?:-meta\.xml)?$/.exec(parts.at(-1)!)?.[1] ?? ''
  return { type: suffix.charAt(0).toUpperCase() + suffix.slice(1), fullName: file }
}
