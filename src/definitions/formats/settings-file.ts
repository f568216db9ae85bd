import { z } from 'zod'

const COMPANY_FILE = z.strictObject({
  fiscalYear: z
    .strictObject({
      startMonth: z
        .int()
        .min(1)
        .max(12)
        .optional()
        .meta({ description: 'The month in which the fiscal year starts: 4 is April.' }),
      namedBy: z
        .enum(['startDate', 'endDate'])
        .optional()
        .meta({ description: 'The day whose calendar year is its name: that of its start or of its end.' }),
    })
    .optional(),
})

/** Schemas of the org's settings files, by the name of the file. */
export const SETTINGS_FILES = { Company: COMPANY_FILE } as const

export type SettingsName = keyof typeof SETTINGS_FILES

export type CompanyFile = z.infer<typeof COMPANY_FILE>
