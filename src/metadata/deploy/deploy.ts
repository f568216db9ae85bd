import type { DeployOptions } from './deploy-options.ts'

type DeployStatus =
  | 'Pending'
  | 'InProgress'
  | 'Succeeded'
  | 'SucceededPartial'
  | 'Failed'
  | 'Canceling'
  | 'Canceled'

/** A deployment of an archive as it is stored. Times are texts in ISO 8601, by the clock of the org. */
export interface Deploy {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly status: DeployStatus
  readonly options: DeployOptions
  readonly validatedId: string | null
  readonly total: number
  readonly outcome: Outcome | null
  readonly canceledById: string | null
  readonly canceledByName: string | null
  readonly createdAt: string
  readonly startedAt: string | null
  readonly modifiedAt: string
  readonly completedAt: string | null
}

/** The result of a component, with the names of the API. */
export interface ComponentResult {
  readonly fullName: string
  readonly componentType: string
  readonly fileName: string
  readonly success: boolean
  readonly created: boolean
  readonly changed: boolean
  readonly deleted: boolean
  readonly createdDate: string
  readonly problem?: string
  readonly problemType?: 'Error' | 'Warning'
  readonly lineNumber?: number
  readonly columnNumber?: number
}

/** The end of a deployment. */
export interface Outcome {
  readonly status: 'Succeeded' | 'SucceededPartial' | 'Failed'
  readonly components: readonly ComponentResult[]
  /** Of an archive that cannot be deployed as a whole. */
  readonly error?: { readonly code: string; readonly message: string }
}
