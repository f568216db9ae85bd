import { Paper, Select, Skeleton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { data, get } from '../../api/client.ts'
import { useDescribe } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { useLayout } from '../../api/layout.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Page } from '../../components/Page.tsx'
import { RecordForm, type Values } from './RecordForm.tsx'

/** A new record: with defaults, or with the values of the record that it is a clone of. */
export function NewRecord() {
  const { object } = useParams({ from: '/records/$object/new' })
  const { type, clone } = useSearch({ from: '/records/$object/new' })
  const navigate = useNavigate({ from: '/records/$object/new' })
  const { data: description, error } = useDescribe(object)
  // The form needs it: both come by one call.
  useLayout(object)
  const types = description?.recordTypeInfos.filter(({ available, active }) => available && active) ?? []
  const recordType = type ?? types.find((one) => one.defaultRecordTypeMapping)?.recordTypeId
  const start = useQuery({
    queryKey: ['start', object, recordType, clone],
    queryFn: async ({ signal }): Promise<Values> => {
      const createable = description!.fields
        .filter((field) => field.createable && kindOf(field) !== 'bytes')
        .map(({ name }) => name)
      if (clone !== undefined) {
        const {
          attributes: _,
          Id: __,
          ...values
        } = await get<Record<string, unknown>>(
          data(`/sobjects/${object}/${clone}?${new URLSearchParams({ fields: createable.join(',') })}`),
          { signal },
        )
        return values
      }
      const parameters = new URLSearchParams(recordType === undefined ? {} : { recordTypeId: recordType })
      const { attributes: _, ...values } = await get<Record<string, unknown>>(
        data(`/sobjects/${object}/defaultValues?${parameters}`),
        { signal },
      )
      const hasTypes = description!.fields.some(({ name }) => name === 'RecordTypeId')
      const defaults = Object.fromEntries(
        Object.entries(values).filter(([name]) => createable.includes(name)),
      )
      return hasTypes && type !== undefined ? { ...defaults, RecordTypeId: type } : defaults
    },
    enabled: description !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = async (values: Values) => {
    const { id } = await get<{ id: string }>(data(`/sobjects/${object}`), { method: 'POST', body: values })
    notifications.show({ color: 'teal', message: `${description!.label} created.` })
    void navigate({ to: '/records/$object/$id', params: { object, id } })
  }
  return (
    <Page title={`${clone === undefined ? 'New' : 'Clone of'} ${description?.label ?? object}`} note={clone}>
      <Paper p="lg">
        {(error ?? start.error) !== null && <ErrorNotice error={error ?? start.error} />}
        {types.filter(({ master }) => !master).length > 0 && clone === undefined && (
          <Select
            label="Record type"
            w={260}
            mb="md"
            data={types.map(({ recordTypeId, name }) => ({ value: recordTypeId, label: name }))}
            value={recordType ?? null}
            allowDeselect={false}
            onChange={(value) => void navigate({ search: { type: value ?? undefined }, replace: true })}
          />
        )}
        {description === undefined || start.data === undefined ? (
          error === null && start.error === null && <Skeleton h={300} />
        ) : (
          <RecordForm
            key={`${recordType} ${clone}`}
            description={description}
            initial={start.data}
            isNew
            recordTypeId={recordType}
            place={`record/new/${object}/${clone ?? ''}`}
            onSave={save}
            onCancel={() => void navigate({ to: '/records/$object', params: { object } })}
          />
        )}
      </Paper>
    </Page>
  )
}
