import { Badge } from '@mantine/core'
import type { Ref } from 'react'
import type { LoggedCall } from '../../../../src/calllog/logged-call.ts'
import { MAX_CHARACTERS } from '../../components/grid/CellText.tsx'
import { Grid, type GridColumn, type GridHandle } from '../../components/grid/Grid.tsx'
import { count, describeBytes, describeDuration, timeOfDay } from '../../components/words.ts'
import { isFailed, statusText } from './call-status.ts'

type Column = GridColumn & {
  readonly text: (call: LoggedCall, apps: ReadonlyMap<string, string> | undefined) => string
}

const COLUMNS: readonly Column[] = [
  { key: 'time', label: 'Time', width: 88, text: ({ time }) => timeOfDay(time) },
  { key: 'status', label: 'Status', width: 118, text: statusText },
  { key: 'method', label: 'Method', width: 80, text: ({ method }) => method },
  { key: 'path', label: 'Path', width: 340, text: ({ path }) => path },
  {
    key: 'durationMs',
    label: 'Duration',
    width: 88,
    isNumber: true,
    text: ({ durationMs }) => describeDuration(durationMs),
  },
  {
    key: 'app',
    label: 'App',
    width: 150,
    text: ({ app }, apps) => (app === null || apps === undefined ? '' : (apps.get(app) ?? app)),
  },
  { key: 'errorCode', label: 'Code', width: 170, text: ({ errorCode }) => errorCode },
  {
    key: 'statements',
    label: 'Statements',
    width: 116,
    isNumber: true,
    text: ({ statements }) => count(statements),
  },
  { key: 'user', label: 'User', width: 190, text: ({ user }) => user ?? '' },
  {
    key: 'bytesOut',
    label: 'Size',
    width: 90,
    isNumber: true,
    text: ({ bytesOut }) => (bytesOut === null ? '' : describeBytes(bytesOut)),
  },
  { key: 'requestId', label: 'Request id', width: 150, text: ({ requestId }) => requestId },
]

interface Shown {
  readonly calls: readonly LoggedCall[]
  /** Names by client id; undefined while they are being read: an id there would jump. */
  readonly apps: ReadonlyMap<string, string> | undefined
  /** The row of the open call; −1: it is not here. */
  readonly openRow: number
  readonly addressOf: (call: LoggedCall) => string
  readonly onOpen: (row: number) => void
  readonly onActive: (row: number) => void
  readonly onEnd: () => void
  readonly ref: Ref<GridHandle>
}

/** Calls, the newest first, of which one may be open beside them. */
export function CallGrid({ calls, apps, openRow, addressOf, onOpen, onActive, onEnd, ref }: Shown) {
  return (
    <Grid
      ref={ref}
      label="Calls"
      columns={COLUMNS}
      rowCount={calls.length}
      widthsKey="calls"
      selected={new Set(openRow < 0 ? [] : [openRow])}
      onActive={onActive}
      onOpen={onOpen}
      onEnd={onEnd}
      cell={(row, column) => {
        const call = calls[row]!
        const text = (column as Column).text(call, apps)
        if (column.key === 'status')
          return {
            text,
            shown: (
              <Badge tt="none" variant="light" color={isFailed(call) ? 'red' : 'teal'}>
                {text}
              </Badge>
            ),
          }
        if (column.key !== 'path') return { text, shown: <span>{text.slice(0, MAX_CHARACTERS)}</span> }
        return {
          text,
          shown: (
            <a
              href={addressOf(call)}
              className="console-link"
              tabIndex={-1}
              title={text}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                onOpen(row)
              }}
            >
              {text.slice(0, MAX_CHARACTERS)}
            </a>
          ),
        }
      }}
    />
  )
}
