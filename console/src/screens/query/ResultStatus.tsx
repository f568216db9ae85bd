import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { count, describeBytes, describeDuration, timeOfDay } from '../../components/words.ts'
import type { Result } from './run.ts'
import type { QueryTab } from './tabs.ts'
import { readOn } from './use-run.ts'

/** How much was read, how long it took, and the pages that were and are to be read. */
export function ResultStatus({
  result,
  isRunning,
  tab,
}: {
  result: Result
  isRunning: boolean
  tab: QueryTab
}) {
  const times = result.steps.map(({ durationMs }) => durationMs)
  const bytes = result.steps.reduce((sum, step) => sum + step.bytes, 0)
  const words = [
    result.totalSize === result.rows.length
      ? `${count(result.rows.length)} ${result.rows.length === 1 ? 'row' : 'rows'}`
      : `${count(result.rows.length)} of ${count(result.totalSize)} rows`,
    describeDuration(times.reduce((sum, time) => sum + time, 0)),
    describeBytes(bytes),
    `read at ${timeOfDay(result.readAt)}`,
  ]
  return (
    <>
      <span role="status">{words.join(', ')}</span>
      {(result.next !== undefined || result.steps.length > 1) && (
        <Menu width={420} position="bottom-start">
          <Menu.Target>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              rightSection={<IconChevronDown size={13} />}
            >
              {result.steps.length === 1 ? '1 page' : `${count(result.steps.length)} pages`}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={340} style={{ overflow: 'auto' }}>
            <Menu.Label>
              A page took {describeDuration(Math.min(...times))} to {describeDuration(Math.max(...times))}
            </Menu.Label>
            {result.steps.map((step, index) => (
              <Menu.Label key={step.path} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {index + 1}. {step.path.slice(0, 140)} – {count(step.rows)} rows,{' '}
                {describeDuration(step.durationMs)}
              </Menu.Label>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {result.next !== undefined && !isRunning && (
        <>
          <Button variant="light" size="compact-xs" onClick={() => void readOn(tab.id, false)}>
            Next page
          </Button>
          <Button variant="subtle" size="compact-xs" onClick={() => void readOn(tab.id, true)}>
            All pages
          </Button>
        </>
      )}
    </>
  )
}
