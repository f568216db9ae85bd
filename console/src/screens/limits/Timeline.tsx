import { Group, Paper, Text, Title, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { unlessRefused } from '../../api/who.ts'
import { count } from '../../components/words.ts'
import styles from './Timeline.module.css'

interface Hour {
  readonly hour: string
  readonly apps: readonly { readonly app: string; readonly calls: number }[]
}

interface Shown {
  readonly limit: { readonly Max: number; readonly Remaining: number } | undefined
  readonly apps: readonly { readonly clientId: string; readonly name: string }[]
  /** The client id of an app whose calls are not drawn. */
  readonly hidden: string | undefined
}

const COLOURS = ['ink', 'teal', 'orange', 'grape', 'lime', 'gray']
const totalOf = ({ apps }: Hour) => apps.reduce((sum, { calls }) => sum + calls, 0)

/** When the rest will be used up if calls go on as in the last hour that is over; a reckoning, and said to be one. */
function forecast(hours: readonly Hour[], left: number): string {
  const last = hours.at(-2)
  const pace = last === undefined ? 0 : totalOf(last)
  if (pace === 0) return 'No calls in the last full hour.'
  const rest = left / pace
  return rest > 24
    ? `At the pace of the last full hour (${count(pace)} calls) the allocation lasts.`
    : `Estimate: at the pace of the last full hour (${count(pace)} calls) the rest is used up in about ${rest < 1 ? 'an hour' : `${Math.round(rest)} hours`}.`
}

/** The calls of a day by hour, each hour by app. */
export function Timeline({ limit, apps, hidden }: Shown) {
  const { data: all } = useQuery({
    queryKey: ['limits', 'hours'],
    queryFn: async ({ signal }) =>
      (
        await unlessRefused(
          get<{ hours: readonly Hour[] }>('/setup/orgs/current/limits/usage?hours=24', { signal }),
        )
      )?.hours ?? null,
    refetchInterval: 60_000,
  })
  if (all === undefined || all === null) return null
  const data = all.map(({ hour, apps: used }) => ({ hour, apps: used.filter(({ app }) => app !== hidden) }))
  const most = Math.max(1, ...data.map(totalOf))
  const byApp = new Map<string, number>()
  for (const { apps: used } of data)
    for (const { app, calls } of used) byApp.set(app, (byApp.get(app) ?? 0) + calls)
  const order = [...byApp].sort(([, a], [, b]) => b - a).map(([app]) => app)
  const colourOf = (app: string) => COLOURS[Math.min(order.indexOf(app), COLOURS.length - 1)]
  const nameOf = (app: string) => apps.find(({ clientId }) => clientId === app)?.name ?? app
  return (
    <Paper p="md">
      <Title order={2} size="h5">
        The last 24 hours
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {limit === undefined ? ' ' : forecast(all, limit.Remaining)}
      </Text>
      <div
        className={styles.bars}
        role="img"
        aria-label={`Calls by hour: ${data.map((hour) => `${hour.hour.slice(11, 16)} ${totalOf(hour)}`).join(', ')}`}
      >
        {data.map((hour) => (
          <Tooltip
            key={hour.hour}
            label={`${new Date(hour.hour).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}: ${count(totalOf(hour))} calls`}
          >
            <div className={styles.hour}>
              {order.map((app) => {
                const calls = hour.apps.find((one) => one.app === app)?.calls ?? 0
                if (calls === 0) return null
                return (
                  <div
                    key={app}
                    style={{
                      height: `${(calls / most) * 100}%`,
                      background: `var(--mantine-color-${colourOf(app)}-6)`,
                    }}
                  />
                )
              })}
            </div>
          </Tooltip>
        ))}
      </div>
      <Group gap="md" mt="sm">
        {order.slice(0, COLOURS.length).map((app) => (
          <Group key={app} gap={6}>
            <span className={styles.dot} style={{ background: `var(--mantine-color-${colourOf(app)}-6)` }} />
            <Text size="xs">
              {nameOf(app)}, {count(byApp.get(app) ?? 0)}
            </Text>
          </Group>
        ))}
      </Group>
    </Paper>
  )
}
