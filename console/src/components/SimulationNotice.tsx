import { Badge, Tooltip } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useSimulation } from '../api/simulation.ts'
import { describeSeconds } from './words.ts'

/** Says on every screen that what it shows is not how the org always behaves. */
export function SimulationNotice() {
  const simulation = useSimulation()
  if (simulation === undefined) return null
  const { plans, aheadSeconds } = simulation
  const words = [
    ...(plans.length > 0 ? [plans.length === 1 ? '1 fault plan' : `${plans.length} fault plans`] : []),
    ...(aheadSeconds !== 0
      ? [`clock ${aheadSeconds > 0 ? '+' : '−'}${describeSeconds(Math.abs(aheadSeconds))}`]
      : []),
  ]
  if (words.length === 0) return null
  return (
    <Tooltip label={plans.length > 0 ? `Active: ${plans.join(', ')}` : 'The clock of this org was moved.'}>
      <Badge color="orange" variant="filled" leftSection={<IconFlask size={13} />} tt="none" role="status">
        {words.join(', ')}
      </Badge>
    </Tooltip>
  )
}
