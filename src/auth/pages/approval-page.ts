import { type Html, type HtmlPart, html } from './html.ts'
import { hiddenFields, makeAlert, page } from './page.ts'

/** Descriptions of scopes for users. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'Read and change your data',
  full: 'Do everything that you may do',
  refresh_token: 'Keep access while you are away, until you take it back',
  offline_access: 'Keep access while you are away, until you take it back',
  openid: 'Know that it is you who logs in',
  id: 'See who you are: your name, username, email address and settings',
  profile: 'See your name and username',
  email: 'See your email address',
  address: 'See your address',
  phone: 'See your phone number',
  web: 'Open pages in your name',
  custom_permissions: 'See which custom permissions you have',
}

/** Descriptions of several scopes, without repetitions. */
function scopeWords(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => WORDS[scope] ?? `Use what is named “${scope}”`))]
}

const CHECK = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false" fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M3 8.5l3.2 3.2L13 5"/></svg>`

const scopeList = (scopes: readonly string[]): HtmlPart =>
  html`<ul class="scopes">${scopeWords(scopes).map((words) => html`<li>${CHECK}<span>${words}</span></li>`)}</ul>`

interface Consent {
  readonly orgName: string
  readonly appName: string
  /** The app's own description. */
  readonly description: string | null
  readonly username: string
  readonly scopes: readonly string[]
  readonly csrf: string
  /** Link to the same page for another user. */
  readonly asAnotherUser: string
}

const account = ({ username, orgName, asAnotherUser }: Consent): Html =>
  html`<p class="small">You are <strong>${username}</strong> at ${orgName}. <a href="${asAnotherUser}">Not you?</a></p>`

function approvalForm(consent: Consent, action: string, hidden: HtmlPart, more: HtmlPart = ''): Html {
  const { appName, description, scopes } = consent
  return html`<h1>Allow access?</h1>
<p class="lead"><strong>${appName}</strong> asks to do this in your name:</p>
${scopeList(scopes)}
${description !== null && html`<p class="hint">${description}</p>`}${more}
<form method="post" action="${action}">
${hidden}<div class="actions">
<button type="submit" class="quiet" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="approve">Allow</button>
</div>
</form>
${account(consent)}`
}

interface ApprovalPage extends Consent {
  /** Target of the form: the same authorization request. */
  readonly action: string
  /** Where the browser is redirected to, as shown to users. */
  readonly destination: string
}

/** Asks the user to approve an app. */
export function approvalPage(shown: ApprovalPage): Html {
  const { csrf, action, orgName, destination } = shown
  const hidden = hiddenFields([['csrf', csrf]])
  const more = html`<p class="hint">Afterwards you go on to <strong>${destination}</strong>.</p>`
  const content = approvalForm(shown, action, hidden, more)
  return page({ title: 'Allow access', orgName, content })
}

interface DeviceEntryPage {
  readonly orgName: string
  readonly username: string
  readonly userCode: string
  readonly csrf: string
  readonly problem?: string | undefined
}

/** Asks the user for the code that a device shows. */
export function deviceEntryPage({ orgName, username, userCode, csrf, problem }: DeviceEntryPage): Html {
  const described = problem === undefined ? 'code-hint' : 'problem code-hint'
  const content = html`<h1>Connect a device</h1>
<p class="lead">Logged in as <strong>${username}</strong>.</p>
${makeAlert(problem)}<form method="post" action="/setup/connect">
${hiddenFields([['csrf', csrf]])}<div class="field">
<label for="user_code">Code</label>
<input class="code" id="user_code" name="user_code" type="text" value="${userCode}" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="20" required aria-describedby="${described}"${problem !== undefined && html` aria-invalid="true"`} autofocus>
<p class="hint" id="code-hint">Eight letters and digits that the device shows.</p>
</div>
<button type="submit">Continue</button>
</form>`
  const title = problem === undefined ? 'Connect a device' : 'Error: Connect a device'
  return page({ title, orgName, content })
}

interface DeviceApprovalPage extends Consent {
  readonly userCode: string
}

/** Asks the user to approve the app on a device. */
export function deviceApprovalPage(shown: DeviceApprovalPage): Html {
  const { csrf, userCode, orgName } = shown
  const hidden = hiddenFields([
    ['csrf', csrf],
    ['user_code', userCode],
  ])
  const more = html`<p class="hint">Allow this only if your device shows the code <strong class="code-shown">${userCode}</strong> and you have started this yourself.</p>`
  const content = approvalForm(shown, '/setup/connect', hidden, more)
  return page({ title: 'Allow access', orgName, content })
}

/** Shows the result of a device flow. */
export function deviceDonePage(orgName: string, appName: string, isApproved: boolean): Html {
  const content = isApproved
    ? html`<h1>Device connected</h1>
<p class="lead"><strong>${appName}</strong> has access now. Go back to your device; you can close this window.</p>`
    : html`<h1>Device turned away</h1>
<p class="lead"><strong>${appName}</strong> has no access. You can close this window.</p>`
  return page({ title: isApproved ? 'Device connected' : 'Device turned away', orgName, content })
}
