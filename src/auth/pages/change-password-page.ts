import { type Html, html } from './html.ts'
import { hiddenFields, makeAlert, page } from './page.ts'

/** A field of the form, for linking a message to it. */
export type PasswordField = 'current' | 'password' | 'again'

interface ChangePasswordPage {
  readonly orgName: string
  readonly username: string
  readonly returnTo: string
  readonly csrf: string
  /** The user must change the password before going on. */
  readonly isForced: boolean
  readonly problem?: { readonly message: string; readonly field: PasswordField } | undefined
}

export function changePasswordPage(shown: ChangePasswordPage): Html {
  const { orgName, username, returnTo, csrf, isForced, problem } = shown
  const field = (name: PasswordField, label: string, autocomplete: string, hint?: string): Html => {
    const isWrong = problem?.field === name
    const described = [isWrong && 'problem', hint !== undefined && `${name}-hint`].filter(
      (id) => id !== false,
    )
    return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" maxlength="1000" required${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}${isWrong && html` aria-invalid="true"`}${(isWrong || (problem === undefined && name === 'current')) && html` autofocus`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>\n`}</div>
`
  }
  const lead = isForced
    ? html`Choose a password of your own before you go on as <strong>${username}</strong>.`
    : html`of <strong>${username}</strong>. Everywhere else you are logged out.`
  const content = html`<h1>Change your password</h1>
<p class="lead">${lead}</p>
${makeAlert(problem?.message)}<form method="post" action="/change-password">
${hiddenFields([
  ['csrf', csrf],
  ['retURL', returnTo],
])}<input type="text" name="username" value="${username}" autocomplete="username" hidden>
${field('current', 'Current password', 'current-password')}${field('password', 'New password', 'new-password', 'At least 8 characters; longer is better.')}${field('again', 'New password again', 'new-password')}<button type="submit">Change password</button>
</form>
<p class="small"><a href="/logout">Log out</a></p>`
  const title = problem === undefined ? 'Change your password' : 'Error: Change your password'
  return page({ title, orgName, content })
}

export function passwordChangedPage(orgName: string, returnTo: string): Html {
  const content = html`<h1>Password changed</h1>
<p class="lead">Use the new one from now on. Apps and other windows have to log in again.</p>
<a class="button" href="${returnTo}">Continue</a>`
  return page({ title: 'Password changed', orgName, content })
}
