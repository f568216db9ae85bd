import { ActionIcon, Button, Title } from '@mantine/core'
import { IconArrowDown, IconArrowLeft, IconArrowUp, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './Beside.module.css'
import type { Beside } from './use-beside.ts'

interface StepProps {
  readonly label: string
  readonly icon: ReactNode
  readonly onStep: (() => void) | undefined
}

/** Stays in the order of the keyboard where it leads nowhere: it may have the focus. */
const Step = ({ label, icon, onStep }: StepProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    aria-label={label}
    aria-disabled={onStep === undefined}
    data-disabled={onStep === undefined || undefined}
    onClick={onStep}
  >
    {icon}
  </ActionIcon>
)

interface Shown {
  readonly beside: Beside
  /** The kind of thing that is open: `Call`. */
  readonly kind: string
  readonly title: ReactNode
  /** The name of the list: the way back, where the panel lies over it. */
  readonly back: string
  readonly children: ReactNode
}

/** Shows what is open of a list, beside it or over it, with steps to the rows around. */
export function BesidePanel({ beside, kind, title, back, children }: Shown) {
  const { isOver, openId, openRow, lastRow, open, close, closeByKey, panel } = beside
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={kind}
      onKeyDown={closeByKey}
      className={`${styles.panel} ${isOver ? styles.over : ''}`}
    >
      <div className={styles.head}>
        {isOver && (
          <Button
            variant="subtle"
            color="gray"
            flex="none"
            leftSection={<IconArrowLeft size={15} />}
            onClick={close}
          >
            {back}
          </Button>
        )}
        <Title order={2} size="h5" className={styles.title!}>
          {title}
        </Title>
        <Step
          label={`Previous ${kind.toLowerCase()}`}
          icon={<IconArrowUp size={16} />}
          onStep={openRow > 0 ? () => open(openRow - 1) : undefined}
        />
        <Step
          label={`Next ${kind.toLowerCase()}`}
          icon={<IconArrowDown size={16} />}
          onStep={openRow >= 0 && openRow < lastRow ? () => open(openRow + 1) : undefined}
        />
        {!isOver && (
          <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={close}>
            <IconX size={16} />
          </ActionIcon>
        )}
      </div>
      {/* Another one begins at its top. */}
      <div key={openId} className={styles.body}>
        {children}
      </div>
    </section>
  )
}
