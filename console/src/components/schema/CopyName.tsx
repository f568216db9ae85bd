import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies an API name. */
export const CopyName = ({ name }: { readonly name: string }) => (
  <CopyButton value={name}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={copied ? `Copied ${name}` : `Copy ${name}`}
        onClick={copy}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    )}
  </CopyButton>
)
