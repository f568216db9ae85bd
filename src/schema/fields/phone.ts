import type { FieldType } from './field-type.ts'
import { shortTextFile, textType } from './text.ts'

export const phone: FieldType = textType({
  name: 'phone',
  label: 'Phone',
  graphql: 'PhoneNumber',
  file: shortTextFile(40),
  sourceFormat: { name: 'Phone', reads: ['length', 'required', 'key'] },
  inColumns: {
    has: (value) =>
      /^\+?[\d\s()./-]+$/.test(value) && value.length <= 40 && value.replaceAll(/\D/g, '').length >= 6,
    header: /phone|mobile|fax|tel/i,
    makeField: () => ({ because: 'phone numbers' }),
  },
  history: { dataType: 'Phone' },
  searchedAs: 'phone',
})
