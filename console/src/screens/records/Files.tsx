import { Button, FileButton, Group, Skeleton, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { data, get } from '../../api/client.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { accessToken } from '../../api/sign-in.ts'
import { quote } from '../../api/soql.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { dayAndTime, describeBytes } from '../../components/words.ts'

interface FileOfRecord {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly createdAt: string
  /** Of its bytes. */
  readonly path: string
  readonly kind: string
}

interface Attachment {
  readonly Id: string
  readonly Name: string
  readonly BodyLength: number
  readonly CreatedDate: string
}

interface Link {
  readonly ContentDocumentId: string
  readonly ContentDocument: {
    readonly Title: string
    readonly FileExtension: string | null
    readonly ContentSize: number
    readonly CreatedDate: string
    readonly LatestPublishedVersionId: string
  }
}

async function ask<T>(soql: string): Promise<readonly T[]> {
  return (await get<{ records: readonly T[] }>(data(`/query?${new URLSearchParams({ q: soql })}`))).records
}

async function listFiles(id: string): Promise<FileOfRecord[]> {
  const [attachments, links] = await Promise.all([
    ask<Attachment>(
      `SELECT Id, Name, BodyLength, CreatedDate FROM Attachment WHERE ParentId = ${quote(id)} LIMIT 200`,
    ).catch(() => []),
    ask<Link>(
      `SELECT ContentDocumentId, ContentDocument.Title, ContentDocument.FileExtension, ContentDocument.ContentSize, ContentDocument.CreatedDate, ContentDocument.LatestPublishedVersionId FROM ContentDocumentLink WHERE LinkedEntityId = ${quote(id)} LIMIT 200`,
    ),
  ])
  return [
    ...links.map(({ ContentDocumentId, ContentDocument: file }) => ({
      id: ContentDocumentId,
      name:
        file.FileExtension === null || file.Title.endsWith(`.${file.FileExtension}`)
          ? file.Title
          : `${file.Title}.${file.FileExtension}`,
      size: file.ContentSize,
      createdAt: file.CreatedDate,
      path: data(`/sobjects/ContentVersion/${file.LatestPublishedVersionId}/VersionData`),
      kind: 'File',
    })),
    ...attachments.map(({ Id, Name, BodyLength, CreatedDate }) => ({
      id: Id,
      name: Name,
      size: BodyLength,
      createdAt: CreatedDate,
      path: data(`/sobjects/Attachment/${Id}/Body`),
      kind: 'Attachment',
    })),
  ]
}

async function saveFile({ path, name }: FileOfRecord): Promise<void> {
  const response = await fetch(path, { headers: { Authorization: `Bearer ${accessToken()}` } })
  if (!response.ok) throw new Error(`The server answered with ${response.status}.`)
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

async function upload(id: string, file: File): Promise<void> {
  const form = new FormData()
  const fields = { Title: file.name, PathOnClient: file.name, FirstPublishLocationId: id }
  form.append('entity_content', new Blob([JSON.stringify(fields)], { type: 'application/json' }))
  form.append('VersionData', file, file.name)
  await get(data('/sobjects/ContentVersion'), { method: 'POST', body: form })
}

/** Files and attachments of a record: saved, and added. */
export function Files({ id }: { id: string }) {
  const queries = useQueryClient()
  const { data: files, error } = useQuery({
    queryKey: ['files', id],
    queryFn: () => listFiles(id),
    retry: false,
  })
  const add = useMutation({
    mutationFn: (file: File) => upload(id, file),
    onSuccess: async () => {
      await refreshQueries(queries, ['files', id])
      notifications.show({ color: 'teal', message: 'Uploaded.' })
    },
  })
  return (
    <>
      <Group mb="sm">
        <FileButton onChange={(file) => file !== null && add.mutate(file)}>
          {(props) => (
            <Button {...props} variant="light" leftSection={<IconUpload size={15} />} loading={add.isPending}>
              Upload a file
            </Button>
          )}
        </FileButton>
      </Group>
      {(error ?? add.error) !== null && <ErrorNotice error={error ?? add.error} />}
      {files === undefined && error === null && <Skeleton h={80} />}
      {files?.length === 0 && (
        <EmptyState title="No files" text="Files and attachments of this record are listed here." />
      )}
      {files !== undefined && files.length > 0 && (
        <Table>
          <Table.Tbody>
            {files.map((file) => (
              <Table.Tr key={file.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{file.name}</bdi>
                </Table.Td>
                <Table.Td c="dimmed">{file.kind}</Table.Td>
                <Table.Td ta="right">{describeBytes(file.size)}</Table.Td>
                <Table.Td>
                  <Text size="sm" c="dimmed">
                    {dayAndTime(file.createdAt)}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  <Button
                    variant="subtle"
                    leftSection={<IconDownload size={15} />}
                    aria-label={`Save ${file.name}`}
                    onClick={() =>
                      void saveFile(file).catch((refused: Error) =>
                        notifications.show({ color: 'red', message: refused.message }),
                      )
                    }
                  >
                    Save
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  )
}
