import { CSRF_FIELD, csrfMatches } from '../../auth/pages/csrf.ts'
import type { Config } from '../../config/config.ts'
import type { PageContext } from './page-context.ts'
import { PageRefusal } from './page-refusal.ts'

/**
 * Refuses a form that another site sends. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; our own pages send
 * `Origin: null`, because their policy hides where a user comes from.
 */
export function checkSameSite({ publicUrl }: Pick<Config, 'publicUrl'>, { request }: PageContext): void {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign = new PageRefusal(403, 'This form came from another site', 'It was not sent.')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign
  if (origin === undefined || origin === 'null' || origin === publicUrl) return
  if (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()) throw foreign
}

/**
 * Refuses a form that was not given to this browser.
 * @param cookie what the form was bound to
 */
export function checkCsrf({ form }: PageContext, cookie: string | undefined): void {
  if (cookie !== undefined && csrfMatches(cookie, form.get(CSRF_FIELD) ?? '')) return
  throw new PageRefusal(
    403,
    'This form is too old',
    'Go back, load the page again and send it once more. Your browser has to take cookies from this site.',
  )
}
