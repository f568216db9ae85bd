import { type Html, html } from './html.ts'
import { hiddenFields, invalid, makeAlert, page } from './page.ts'

interface LoginPage {
  readonly orgName: string
  /** The app that the log-in is for. */
  readonly appName?: string | undefined
  readonly username: string
  /** Path to go to after the log-in. */
  readonly returnTo: string
  readonly csrf: string
  /** Why the last attempt failed. */
  readonly problem?: string | undefined
}

export function loginPage({ orgName, appName, username, returnTo, csrf, problem }: LoginPage): Html {
  const wrong = problem !== undefined
  const lead =
    appName === undefined
      ? html`Use your account of <strong>${orgName}</strong>.`
      : html`to continue to <strong>${appName}</strong> with your account of <strong>${orgName}</strong>.`
  // Focus the first empty field.
  const [first, second] = username === '' ? [html` autofocus`, ''] : ['', html` autofocus`]
  const content = html`<h1>Log in</h1>
<p class="lead">${lead}</p>
${makeAlert(problem)}<form method="post" action="/login">
${hiddenFields([
  ['csrf', csrf],
  ['retURL', returnTo],
])}<div class="field">
<label for="username">Username</label>
<input id="username" name="username" type="text" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="200" required${invalid(wrong)}${first}>
</div>
<div class="field">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1000" required${invalid(wrong)}${second}>
</div>
<button type="submit">Log in</button>
</form>`
  return page({ title: wrong ? 'Error: Log in' : 'Log in', orgName, content })
}

interface AccountPage {
  readonly orgName: string
  readonly username: string
  readonly name: string
}

/** Shows the logged-in user and related actions. */
export function accountPage({ orgName, username, name }: AccountPage): Html {
  const content = html`<h1>You are logged in</h1>
<p class="lead">as <strong>${name}</strong> (${username}) at <strong>${orgName}</strong>.</p>
<div class="actions">
<a class="button quiet" href="/logout">Log out</a>
<a class="button" href="/change-password">Change password</a>
</div>
<p class="small"><a href="/setup/connect">Connect a device</a></p>`
  return page({ title: 'Logged in', orgName, content })
}
