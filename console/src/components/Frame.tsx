import {
  ActionIcon,
  Avatar,
  Kbd,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import {
  IconBook,
  IconChevronDown,
  IconHelp,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconSunMoon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { apiVersion, get } from '../api/client.ts'
import { changeOrg, signOut } from '../api/sign-in.ts'
import { unlessRefused, useWho } from '../api/who.ts'
import { SCREENS } from '../screens.ts'
import styles from './Frame.module.css'
import { Keys } from './Keys.tsx'
import { colourTab, orgColour } from './org-colour.ts'
import { openPalette, Palette } from './Palette.tsx'
import { SessionEnded } from './SessionEnded.tsx'
import { SimulationNotice } from './SimulationNotice.tsx'

function OrgMenu() {
  const { orgId, orgName } = useWho()
  const [opened, setOpened] = useState(false)
  const { data: orgs } = useQuery({
    queryKey: ['orgs'],
    queryFn: () => unlessRefused(get<readonly { id: string; name: string }[]>('/setup/orgs')),
    enabled: opened,
  })
  const others = orgs?.filter(({ id }) => id !== orgId) ?? []
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={styles.org}>
          <span className={styles.mark} aria-hidden>
            {orgName.slice(0, 1).toUpperCase()}
          </span>
          <Text size="sm" fw={600} truncate>
            {orgName}
          </Text>
          <VisuallyHidden>: change the org</VisuallyHidden>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>You work in {orgName}</Menu.Label>
        <Menu.Label ff="monospace">{orgId}</Menu.Label>
        {others.length > 0 && <Menu.Divider />}
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => changeOrg(name)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const SCHEMES = { light: IconSun, dark: IconMoon, auto: IconSunMoon } as const
const NEXT_SCHEME = { light: 'dark', dark: 'auto', auto: 'light' } as const
const SCHEME_WORDS = { light: 'light', dark: 'dark', auto: 'as your system' } as const

function SchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = SCHEMES[colorScheme]
  const label = `Colours: ${SCHEME_WORDS[colorScheme]}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        onClick={() => setColorScheme(NEXT_SCHEME[colorScheme])}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  )
}

function UserMenu() {
  const { userName, username } = useWho()
  return (
    <Menu width={240}>
      <Menu.Target>
        <UnstyledButton className={styles.user}>
          <Avatar name={userName} size={28} color="ink" />
          <VisuallyHidden>User {userName}</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{userName}</Menu.Label>
        <Menu.Label>{username}</Menu.Label>
        <Menu.Divider />
        <Menu.Item
          component="a"
          href="/docs/"
          target="_blank"
          rel="noreferrer"
          leftSection={<IconBook size={16} />}
        >
          Documentation
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** What takes less than so many milliseconds needs no progress. */
const MOMENT_MS = 250

/** That the next screen is on its way, where it takes longer than a moment. */
function Progress() {
  const isOpening = useRouterState({ select: ({ status }) => status === 'pending' })
  const [wasOpening] = useDebouncedValue(isOpening, MOMENT_MS)
  return isOpening && wasOpening ? (
    <div className={styles.progress} role="progressbar" aria-label="Opening" />
  ) : null
}

/** The band, the navigation and, between them, a screen. */
export function Frame() {
  const { orgId, orgName } = useWho()
  const [areKeysShown, setKeysShown] = useState(false)
  const navigate = useNavigate()
  // Also while something is written.
  useHotkeys([['mod+K', openPalette]], [], true)
  useHotkeys([
    ['shift+?', () => setKeysShown(true)],
    ...SCREENS.map(({ to, key }): [string, () => void] => [`alt+${key}`, () => void navigate({ to })]),
  ])
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const screen = SCREENS.findLast(({ to }) => path === to || path.startsWith(`${to}/`) || to === '/')
  useEffect(() => colourTab(orgId), [orgId])
  useEffect(() => {
    document.title = `${screen?.label ?? 'Console'} – ${orgName}`
  }, [screen, orgName])

  return (
    <div className={styles.shell} style={{ '--org-colour': orgColour(orgId) } as React.CSSProperties}>
      <a href="#page" className={styles.skip}>
        Skip to the page
      </a>
      <Progress />
      <header className={styles.band}>
        <OrgMenu />
        <UnstyledButton className={styles.finder} onClick={openPalette}>
          <IconSearch size={15} aria-hidden />
          <span>Search or go to…</span>
          <Kbd size="xs" ml="auto">
            Ctrl K
          </Kbd>
        </UnstyledButton>
        <SimulationNotice />
        <Tooltip label="Keys">
          <ActionIcon variant="subtle" color="gray" aria-label="Keys" onClick={() => setKeysShown(true)}>
            <IconHelp size={18} />
          </ActionIcon>
        </Tooltip>
        <SchemeButton />
        <UserMenu />
      </header>
      <nav className={styles.navigation} aria-label="Screens">
        {SCREENS.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} className={styles.link} activeOptions={{ exact: to === '/' }}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {label}
          </Link>
        ))}
        <div className={styles.foot}>API {apiVersion()}</div>
      </nav>
      <main className={styles.page} id="page" tabIndex={-1}>
        <Outlet />
      </main>
      <Palette />
      <Keys opened={areKeysShown} onClose={() => setKeysShown(false)} />
      <SessionEnded />
    </div>
  )
}
