/** The objects whose common fields are those of Activity in metadata. */
export const ACTIVITIES = ['Task', 'Event'] as const

/** Returns the fields here that a field of metadata stands for: `Activity.Code__c` is one of tasks and one of events. */
export const spreadActivityField = (path: string): readonly string[] =>
  path.startsWith('Activity.') ? ACTIVITIES.map((name) => path.replace('Activity', name)) : [path]

/** Returns the field of metadata that may stand for one of tasks or of events, or their object, in small letters: `activity.code__c`. */
export const joinActivityField = (path: string): string =>
  path.toLowerCase().replace(/^(?:task|event)(?=\.|$)/, 'activity')
