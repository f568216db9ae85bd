import type { PicklistValue } from '../../schema/fields/field-definition.ts'

/** The languages of the user interface. */
export const LANGUAGE_VALUES: readonly PicklistValue[] = [
  { value: 'en_US', label: 'English' },
  { value: 'de', label: 'German' },
  { value: 'es', label: 'Spanish' },
  { value: 'fr', label: 'French' },
  { value: 'it', label: 'Italian' },
  { value: 'ja', label: 'Japanese' },
  { value: 'sv', label: 'Swedish' },
  { value: 'ko', label: 'Korean' },
  { value: 'zh_TW', label: 'Chinese (Traditional)' },
  { value: 'zh_CN', label: 'Chinese (Simplified)' },
  { value: 'pt_BR', label: 'Portuguese (Brazil)' },
  { value: 'nl_NL', label: 'Dutch' },
  { value: 'da', label: 'Danish' },
  { value: 'th', label: 'Thai' },
  { value: 'fi', label: 'Finnish' },
  { value: 'ru', label: 'Russian' },
  { value: 'es_MX', label: 'Spanish (Mexico)' },
  { value: 'no', label: 'Norwegian' },
]
