import { Stack, Title } from '@mantine/core'
import type { Description } from '../../api/describe.ts'
import { fieldsOf, useLayout } from '../../api/layout.ts'
import { textOf } from '../../components/grid/CellText.tsx'
import { scrollRegion } from '../../components/scroll-region.ts'
import { FieldValue } from './FieldValue.tsx'
import type { Values } from './RecordForm.tsx'
import styles from './Records.module.css'
import { useNames } from './use-names.ts'

/** Values of so many characters may scroll in their place. */
const LONG = 400

/** The fields of a record, laid out as its page is. */
export function Details({ description, values }: { description: Description; values: Values }) {
  const { data: layouts } = useLayout(description.name)
  const names = useNames(description, values)
  const byName = new Map(description.fields.map((field) => [field.name, field]))
  return (
    <Stack gap="lg">
      {layouts?.layouts[0]?.detailLayoutSections.map((section) => (
        <section key={section.layoutSectionId} aria-label={section.heading}>
          <Title order={2} size="h6" mb={4}>
            {section.heading}
          </Title>
          <div className={styles.fields}>
            {fieldsOf(section).map((name) => {
              const field = byName.get(name)
              if (field === undefined) return null
              return (
                <div key={name} className={styles.field}>
                  <div className={styles.label} title={name}>
                    {field.label}
                  </div>
                  <div
                    className={styles.value}
                    {...(textOf(values[name]).length > LONG && scrollRegion(field.label))}
                  >
                    <FieldValue field={field} value={values[name]} name={names.get(textOf(values[name]))} />
                  </div>
                </div>
              )
            })}
          </div>
        </section>
      ))}
    </Stack>
  )
}
