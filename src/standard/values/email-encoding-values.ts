import type { PicklistValue } from '../../schema/definitions/definition.ts'

export const EMAIL_ENCODING_VALUES: readonly PicklistValue[] = [
  { value: 'UTF-8', label: 'Unicode (UTF-8)' },
  { value: 'ISO-8859-1', label: 'General US & Western Europe (ISO-8859-1, ISO-LATIN-1)' },
  { value: 'Shift_JIS', label: 'Japanese (Shift-JIS)' },
  { value: 'ISO-2022-JP', label: 'Japanese (JIS)' },
  { value: 'EUC-JP', label: 'Japanese (EUC)' },
  { value: 'ks_c_5601-1987', label: 'Korean (ks_c_5601-1987)' },
  { value: 'Big5', label: 'Traditional Chinese (Big5)' },
  { value: 'GB2312', label: 'Simplified Chinese (GB2312)' },
  { value: 'Big5-HKSCS', label: 'Traditional Chinese Hong Kong (Big5-HKSCS)' },
  { value: 'x-SJIS_0213', label: 'Japanese (Shift-JIS_2004)' },
]
