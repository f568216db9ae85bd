import type { Org } from '../../storage/orgs/org.ts'
import { logInRule } from '../attempts/attempt-rules.ts'
import { checkPassword, type LogIn, type LogInServices } from './log-in.ts'

/** The outcome of a log-in, or how many seconds its address has to wait for another one. */
type CountedLogIn =
  | { readonly wait: number; readonly logIn?: undefined }
  | { readonly wait: 0; readonly logIn: LogIn }

/** Checks a password where people or programs log in with it; an address with too many wrong ones has to wait. */
export async function checkCountedPassword(
  services: LogInServices,
  org: Org,
  username: string,
  password: string,
): Promise<CountedLogIn> {
  const { attempts, settings, address } = services
  const attempt = await attempts.begin([logInRule(settings, address)])
  if (attempt.wait > 0) return { wait: attempt.wait }
  let isWrong = false
  try {
    const logIn = await checkPassword(services, org, username, password)
    isWrong = logIn.refusal !== undefined
    return { wait: 0, logIn }
  } finally {
    await attempt.end(isWrong)
  }
}
