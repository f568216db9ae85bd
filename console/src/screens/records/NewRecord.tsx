import { Paper, Select, Skeleton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { data, get } from '../../api/client.ts'
import { objectOfId, useDescribe } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { useLayout } from '../../api/layout.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { useWho } from '../../api/who.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Page } from '../../components/Page.tsx'
import { RecordForm, type Values } from './RecordForm.tsx'
import { useRecordName } from './use-record-name.ts'

/** A new record: with defaults, below the record whose list it was begun in, or with the values of the one that it is a clone of. */
export function NewRecord() {
  const { object } = useParams({ from: '/records/$object/new' })
  const { type, clone, field, parent } = useSearch({ from: '/records/$object/new' })
  const navigate = useNavigate({ from: '/records/$object/new' })
  const queries = useQueryClient()
  const { data: description, error } = useDescribe(object)
  // The form needs it: both come by one call.
  useLayout(object)
  const types =
    description?.recordTypeInfos.filter(
      ({ available, active, master, defaultRecordTypeMapping: isDefault }) =>
        available && active && (!master || isDefault),
    ) ?? []
  const recordType = type ?? types.find((one) => one.defaultRecordTypeMapping)?.recordTypeId
  const start = useQuery({
    queryKey: ['start', object, recordType, clone, field, parent],
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
      return {
        ...defaults,
        ...(hasTypes && type !== undefined && { RecordTypeId: type }),
        ...(field !== undefined && parent !== undefined && createable.includes(field) && { [field]: parent }),
      }
    },
    enabled: description !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = async (values: Values) => {
    const { id } = await get<{ id: string }>(data(`/sobjects/${object}`), { method: 'POST', body: values })
    notifications.show({ color: 'teal', message: `${description!.label} created.` })
    for (const key of ['records', 'related']) void refreshQueries(queries, [key])
    void navigate({ to: '/records/$object/$id', params: { object, id } })
  }
  const { userId, userName } = useWho()
  const parentName = useRecordName(parent)
  const names = new Map([[userId, userName]])
  if (parent !== undefined && parentName !== undefined) names.set(parent, parentName)
  const parentObject = objectOfId(parent)
  const leave = () =>
    void (parent === undefined || parentObject === undefined
      ? navigate({ to: '/records/$object', params: { object } })
      : navigate({
          to: '/records/$object/$id',
          params: { object: parentObject, id: parent },
          search: { tab: 'related' },
        }))
  return (
    <Page title={`${clone === undefined ? 'New' : 'Clone of'} ${description?.label ?? object}`} note={clone}>
      <Paper p="lg">
        {(error ?? start.error) !== null && <ErrorNotice error={error ?? start.error} />}
        {types.length > 1 && clone === undefined && (
          <Select
            label="Record type"
            w={260}
            mb="md"
            data={types.map(({ recordTypeId, name }) => ({ value: recordTypeId, label: name }))}
            value={recordType ?? null}
            allowDeselect={false}
            onChange={(value) =>
              void navigate({
                search: (before) => ({ ...before, type: value ?? undefined }),
                replace: true,
              })
            }
          />
        )}
        {description === undefined || start.data === undefined ? (
          error === null && start.error === null && <Skeleton h={300} />
        ) : (
          <RecordForm
            key={`${recordType} ${clone} ${parent}`}
            description={description}
            initial={start.data}
            names={names}
            isNew
            recordTypeId={recordType}
            isTypeChosen={clone === undefined}
            place={`record/new/${object}/${clone ?? parent ?? ''}`}
            onSave={save}
            onCancel={leave}
          />
        )}
      </Paper>
    </Page>
  )
}
