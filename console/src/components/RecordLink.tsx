import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Shown {
  readonly object: string
  readonly id: string
  readonly children?: ReactNode
  /** In a grid, where the keyboard goes by cells. */
  readonly isSkipped?: boolean
}

/** A link to a record that costs nothing to draw: grids have thousands. */
export function RecordLink({ object, id, children = id, isSkipped = false }: Shown) {
  const router = useRouter()
  const address = `/console/records/${object}/${id}`
  return (
    <a
      href={address}
      className="console-link"
      tabIndex={isSkipped ? -1 : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        router.history.push(address)
      }}
    >
      {children}
    </a>
  )
}
