import { Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { download } from '../../components/download.ts'
import { count } from '../../components/words.ts'
import { asCsv, asCsvByChild, asJson, asMarkdown, asTabs } from './export.ts'
import type { Result } from './run.ts'

/** Files and copies of the rows that were read. */
export function ExportMenu({ result, name }: { result: Result; name: string }) {
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    notifications.show({ message: 'Copied.' })
  }
  const { rows } = result
  return (
    <Menu width={250}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconDownload size={15} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{count(rows.length)} rows that are here</Menu.Label>
        <Menu.Item onClick={() => download(`${name}.csv`, asCsv(rows), 'text/csv')}>
          CSV, children as JSON
        </Menu.Item>
        <Menu.Item onClick={() => download(`${name}.csv`, asCsvByChild(rows), 'text/csv')}>
          CSV, a line for each child
        </Menu.Item>
        <Menu.Item onClick={() => download(`${name}.json`, asJson(rows), 'application/json')}>JSON</Menu.Item>
        <Menu.Divider />
        <Menu.Item onClick={() => void copy(asTabs(rows))}>Copy for a spreadsheet</Menu.Item>
        <Menu.Item onClick={() => void copy(asMarkdown(rows))}>Copy as Markdown</Menu.Item>
        <Menu.Item onClick={() => void copy(asJson(rows))}>Copy as JSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
