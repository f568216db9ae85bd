/*
 * Authorization code with PKCE. Tokens live in this module's memory only: a reload asks for new ones, and the browser session of
 * the log-in pages answers without a question. A session that ends is renewed by the refresh token, or by a window that logs in
 * again while this page and what was typed into it stay.
 */

/** The app that the console is. */
export const CLIENT_ID = 'ObjectryConsole'
const PENDING = 'objectry.sign-in'
const CHANNEL = 'objectry.sign-in'

interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** The address of the user: of an org, and who it is there. */
  readonly owner: string
}

interface Pending {
  readonly verifier: string
  readonly state: string
  /** Where the browser was, below the origin. */
  readonly returnTo: string
  /** The org of the sign-in; null: the server chooses. */
  readonly org: string | null
}

interface Answer {
  readonly state: string | null
  readonly code: string | null
  readonly error: string | null
}

let tokens: Tokens | undefined
let renewal: Promise<boolean> | undefined

const redirectUri = () => `${location.origin}/console/callback`
const ORG = 'objectry.org'
const org = () => new URLSearchParams(location.search).get('org') ?? sessionStorage.getItem(ORG)

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

async function makePending(): Promise<Pending> {
  const returnTo = location.pathname + location.search
  return { verifier: randomText(), state: randomText(), returnTo, org: org() }
}

async function authorizeAddress(
  { verifier, state, org }: Pending,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return `/services/oauth2/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri(),
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    state,
    ...(org !== null && { org }),
    ...more,
  })}`
}

/** Undefined: the server gives none. */
async function askForTokens(parameters: Record<string, string>): Promise<Tokens | undefined> {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...parameters })
  const response = await fetch('/services/oauth2/token', { method: 'POST', body })
  if (!response.ok) return undefined
  const { access_token: accessToken, refresh_token: refreshToken, id: owner } = await response.json()
  return { accessToken, refreshToken: refreshToken ?? tokens?.refreshToken, owner: new URL(owner).pathname }
}

const revoke = (token: string) =>
  fetch('/services/oauth2/revoke', { method: 'POST', body: new URLSearchParams({ token }) }).catch(() => {})

const exchange = (code: string, { verifier }: Pending) =>
  askForTokens({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri(),
    code_verifier: verifier,
  })

const readAnswer = (search: string): Answer => {
  const found = new URLSearchParams(search)
  return {
    state: found.get('state'),
    code: found.get('code'),
    error: found.get('error_description') ?? found.get('error'),
  }
}

function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(PENDING)
  sessionStorage.removeItem(PENDING)
  return text === null ? undefined : JSON.parse(text)
}

async function leaveForLogIn(): Promise<never> {
  const pending = await makePending()
  sessionStorage.setItem(PENDING, JSON.stringify(pending))
  location.replace(await authorizeAddress(pending))
  return new Promise(() => {})
}

/** Asks for a code by the browser's session, without leaving the page. False: the user has to be asked, or told why not. */
async function signInQuietly(): Promise<boolean> {
  const pending = await makePending()
  const response = await fetch(await authorizeAddress(pending, { prompt: 'none' })).catch(() => undefined)
  if (response === undefined || !response.url.startsWith(redirectUri())) return false
  const { state, code } = readAnswer(new URL(response.url).search)
  if (code === null || state !== pending.state) return false
  tokens = await exchange(code, pending)
  if (tokens !== undefined) keepOrg(pending)
  return tokens !== undefined
}

/** The tab keeps an org once it has signed in there: a mistyped one is asked for once. */
function keepOrg({ org }: Pending): void {
  if (org !== null) sessionStorage.setItem(ORG, org)
}

/**
 * Signs in, by way of the log-in page where that is needed: then it never resolves.
 * @throws Error why the server refuses
 */
export async function signIn(): Promise<void> {
  if (location.pathname !== '/console/callback') return (await signInQuietly()) ? undefined : leaveForLogIn()
  const answer = readAnswer(location.search)
  const pending = takePending()
  if (pending === undefined || pending.state !== answer.state) {
    // A window that renews the session of another one says what came, and is done.
    new BroadcastChannel(CHANNEL).postMessage(answer)
    window.close()
    history.replaceState(undefined, '', '/console/')
    return leaveForLogIn()
  }
  history.replaceState(undefined, '', pending.returnTo)
  if (answer.code === null) throw new Error(answer.error ?? 'The log-in was refused.')
  tokens = await exchange(answer.code, pending)
  if (tokens === undefined) return leaveForLogIn()
  keepOrg(pending)
}

export const accessToken = (): string => tokens?.accessToken ?? ''

/** Gets a new access token without a question, once for all who ask at the same time. False: the user has to log in. */
export function renewQuietly(): Promise<boolean> {
  renewal ??= (async () => {
    const refreshToken = tokens?.refreshToken
    if (refreshToken === undefined) return false
    const renewed = await askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }).catch(
      () => undefined,
    )
    tokens = renewed ?? tokens
    return renewed !== undefined
  })().finally(() => {
    renewal = undefined
  })
  return renewal
}

/** How a log-in beside the page has ended; `other`: by somebody else, under whom this page must not go on. */
export type LogIn = 'renewed' | 'other' | 'failed'

/**
 * Opens a window where the user logs in, and resolves when there is a new token. To be called by a click.
 * @param username whose password is asked for, whoever the browser knows; undefined: the browser's session is enough
 */
export async function logInBeside(username?: string): Promise<LogIn> {
  // Opened before anything is awaited: browsers allow windows only as the direct effect of a click.
  const opened = window.open('about:blank', 'objectry-log-in', 'width=480,height=640')
  const pending = await makePending()
  const address = await authorizeAddress(
    pending,
    username === undefined ? undefined : { prompt: 'login', login_hint: username },
  )
  const channel = new BroadcastChannel(CHANNEL)
  try {
    const code = await new Promise<string | null>((resolve) => {
      channel.onmessage = ({ data }: MessageEvent<Answer>) => {
        if (data.state === pending.state) resolve(data.code)
      }
      if (opened === null) resolve(null)
      else opened.location.href = new URL(address, location.origin).href
    })
    const renewed = code === null ? undefined : await exchange(code, pending)
    if (renewed === undefined) return 'failed'
    if (renewed.owner !== tokens?.owner) {
      await revoke(renewed.refreshToken ?? renewed.accessToken)
      return 'other'
    }
    tokens = renewed
    return 'renewed'
  } finally {
    channel.close()
  }
}

/** Ends the token and goes to the page that ends the log-in. */
export async function signOut(): Promise<void> {
  const token = tokens?.refreshToken ?? tokens?.accessToken
  tokens = undefined
  sessionStorage.removeItem('objectry.org')
  if (token !== undefined) await revoke(token)
  location.assign('/logout')
}

/** Starts again in another org, as whoever logs in there. */
export function changeOrg(name: string): void {
  location.assign(`/console/?${new URLSearchParams({ org: name })}`)
}
