import { type Html, html } from './html.ts'
import { hiddenFields, page } from './page.ts'

interface LogoutPage {
  readonly orgName: string
  readonly username: string
  readonly csrf: string
}

export function logoutPage({ orgName, username, csrf }: LogoutPage): Html {
  const content = html`<h1>Log out?</h1>
<p class="lead">You are logged in as <strong>${username}</strong>. Apps that you have connected stay connected.</p>
<form method="post" action="/logout">
${hiddenFields([['csrf', csrf]])}<div class="actions">
<a class="button quiet" href="/login">Stay</a>
<button type="submit">Log out</button>
</div>
</form>`
  return page({ title: 'Log out', orgName, content })
}

export function loggedOutPage(): Html {
  const content = html`<h1>You are logged out</h1>
<p class="lead">You can close this window.</p>
<a class="button quiet" href="/login">Log in again</a>`
  return page({ title: 'Logged out', content })
}
