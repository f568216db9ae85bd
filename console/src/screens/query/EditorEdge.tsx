import { useLocalStorage } from '@mantine/hooks'
import { useRef } from 'react'
import styles from './Query.module.css'

const MIN = 72
const MAX = 800
const STEP = 24
const USUAL = 176

/** The height of the editor in pixels, as it was left in this browser. */
export const useEditorHeight = () =>
  useLocalStorage({ key: 'objectry.query.editor', defaultValue: USUAL, getInitialValueInEffect: false })

interface Shown {
  readonly height: number
  readonly onResize: (height: number) => void
}

/** The edge between the editor with its buttons and the rows: dragged, or moved by the arrow keys. */
export function EditorEdge({ height, onResize }: Shown) {
  const edge = useRef<HTMLHRElement>(null)
  /** As it is drawn: in a low window lower than it was left. */
  const drawn = () =>
    edge.current?.parentElement?.querySelector(`.${styles.editor}`)?.getBoundingClientRect().height ?? height
  const resize = (to: number) => onResize(Math.round(Math.max(MIN, Math.min(MAX, to))))
  return (
    <hr
      ref={edge}
      className={styles.edge}
      tabIndex={0}
      aria-label="Height of the editor"
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        resize(drawn() + (event.key === 'ArrowDown' ? STEP : -STEP))
      }}
      onPointerDown={(event) => {
        event.preventDefault()
        const [from, start] = [event.clientY, drawn()]
        const target = event.currentTarget
        target.setPointerCapture(event.pointerId)
        target.onpointermove = ({ clientY }) => resize(start + clientY - from)
        target.onpointerup = () => {
          target.onpointermove = null
        }
      }}
    />
  )
}
