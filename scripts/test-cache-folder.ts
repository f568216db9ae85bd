import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Where the tests keep what the next run uses: images of template databases, and how long each file took. */
export const CACHE_FOLDER = join(tmpdir(), `objectry-tests-${userInfo().uid}`)
