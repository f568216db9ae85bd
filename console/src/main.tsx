import '@mantine/core/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { CallError, loadVersion } from './api/client.ts'
import { ownDrafts } from './api/drafts.ts'
import { signIn } from './api/sign-in.ts'
import { whoQuery } from './api/who.ts'
import { Refused } from './components/Refused.tsx'
import { styleNonce } from './components/style-nonce.ts'
import { makeRouter } from './router.tsx'
import { theme } from './theme.ts'

setNonce(styleNonce)

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      // A refusal stays one when it is repeated.
      retry: (failures, error) =>
        failures < 2 && error instanceof CallError && [0, 503].includes(error.status),
    },
  },
})

async function open(): Promise<React.ReactNode> {
  try {
    await Promise.all([signIn(), loadVersion()])
    const who = await queries.fetchQuery(whoQuery)
    ownDrafts(who.orgId, who.userId)
    return <RouterProvider router={makeRouter(queries)} />
  } catch (error) {
    return <Refused error={error} />
  }
}

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" autoClose={5000} />
        {await open()}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
